#include "scale/capacity/vm_cover_relaxed.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace berth {
namespace {

constexpr double kNothing = 1e-9;
constexpr int kPivotsMax = 2'000;

// The dual program: the highest values of instances, such that no filling is worth more than its
// VM costs. It starts feasible, with values of zero, and its own dual are the VMs.
//
// One row a filling, one column a service; each has a variable that is either in the basis (of a
// row) or outside (of a column): the value of a service, or what a filling is worth less than it
// costs.
class ValueTableau {
 public:
  ValueTableau(std::span<const VmFilling> fillings, std::span<const VmType> types,
               const InstanceCounts& wanted)
      : rows_(fillings.size()), columns_(wanted.size()), objective_(wanted.begin(), wanted.end()) {
    cells_.reserve(rows_ * columns_);
    right_.reserve(rows_);
    for (std::size_t f = 0; f < rows_; ++f) {
      for (const std::uint32_t count : fillings[f].instances) cells_.push_back(count);
      right_.push_back(static_cast<double>(types[fillings[f].type].hour_micros));
      row_variable_.push_back(columns_ + f);
    }
    for (std::size_t s = 0; s < columns_; ++s) column_variable_.push_back(s);
  }

  void Solve() {
    for (int pivots = 0; pivots < kPivotsMax; ++pivots) {
      const std::optional<std::size_t> column = Entering();
      if (!column) return;
      const std::optional<std::size_t> row = Leaving(*column);
      if (!row) return;
      Pivot(*row, *column);
    }
  }

  // By service.
  std::vector<double> Values() const {
    std::vector<double> values(columns_, 0);
    for (std::size_t r = 0; r < rows_; ++r) {
      if (row_variable_[r] < columns_) values[row_variable_[r]] = std::max(0.0, right_[r]);
    }
    return values;
  }

  // By filling.
  std::vector<double> Vms() const {
    std::vector<double> vms(rows_, 0);
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::size_t variable = column_variable_[c];
      if (variable >= columns_) vms[variable - columns_] = std::max(0.0, -objective_[c]);
    }
    return vms;
  }

 private:
  double& At(std::size_t row, std::size_t column) { return cells_[row * columns_ + column]; }

  // Bland's rule, which never goes in circles: the first variable that gains.
  std::optional<std::size_t> Entering() const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < columns_; ++c) {
      if (objective_[c] <= kNothing) continue;
      if (!best || column_variable_[c] < column_variable_[*best]) best = c;
    }
    return best;
  }

  std::optional<std::size_t> Leaving(std::size_t column) {
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t r = 0; r < rows_; ++r) {
      const double cell = At(r, column);
      if (cell <= kNothing) continue;
      const double ratio = right_[r] / cell;
      if (best && (ratio > least || (ratio == least && row_variable_[r] > row_variable_[*best]))) {
        continue;
      }
      best = r;
      least = ratio;
    }
    return best;
  }

  void Pivot(std::size_t row, std::size_t column) {
    const double by = At(row, column);
    for (std::size_t c = 0; c < columns_; ++c) {
      if (c != column) At(row, c) /= by;
    }
    right_[row] /= by;
    At(row, column) = 1 / by;
    for (std::size_t r = 0; r < rows_; ++r) {
      const double factor = At(r, column);
      if (r == row || factor == 0) continue;
      for (std::size_t c = 0; c < columns_; ++c) {
        if (c != column) At(r, c) -= factor * At(row, c);
      }
      right_[r] -= factor * right_[row];
      At(r, column) = -factor / by;
    }
    const double factor = objective_[column];
    for (std::size_t c = 0; c < columns_; ++c) {
      if (c != column) objective_[c] -= factor * At(row, c);
    }
    objective_[column] = -factor / by;
    std::swap(row_variable_[row], column_variable_[column]);
  }

  std::size_t rows_;
  std::size_t columns_;
  std::vector<double> cells_;
  std::vector<double> right_;
  std::vector<double> objective_;
  std::vector<std::size_t> row_variable_;
  std::vector<std::size_t> column_variable_;
};

// Rounding may have left a filling worth a little more than it costs: then all values are lowered.
double BoundOf(const std::vector<double>& values, std::span<const VmFilling> fillings,
               std::span<const VmType> types, const InstanceCounts& wanted) {
  double worst = 1;
  for (const VmFilling& filling : fillings) {
    double worth = 0;
    for (std::size_t s = 0; s < values.size(); ++s) worth += values[s] * filling.instances[s];
    worst = std::max(worst, worth / static_cast<double>(types[filling.type].hour_micros));
  }
  double bound = 0;
  for (std::size_t s = 0; s < values.size(); ++s) bound += values[s] * wanted[s] / worst;
  return bound * (1 - 1e-9);
}

}  // namespace

RelaxedCover RelaxCover(std::span<const VmFilling> fillings, std::span<const VmType> types,
                        const InstanceCounts& wanted) {
  ValueTableau tableau(fillings, types, wanted);
  tableau.Solve();
  return {.vms = tableau.Vms(), .bound_micros = BoundOf(tableau.Values(), fillings, types, wanted)};
}

}  // namespace berth
