#include "perfmodel/column_scale.h"

#include <cmath>

#include "base/packed.h"
#include "base/wire.h"

namespace berth {
namespace {

// A column that hardly differs but for rounding is constant.
double DeviationOf(double square_sum, double mean, double rows) {
  const double deviation = std::sqrt(square_sum / rows);
  return deviation > 1e-12 * std::abs(mean) && deviation > 0 ? deviation : 1;
}

}  // namespace

void ColumnScale::Apply(std::span<double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t column = i % columns();
    values[i] = (values[i] - means[column]) / deviations[column];
  }
}

ColumnScale ScaleOf(std::span<const double> values, std::size_t columns) {
  const std::size_t count = values.size() / columns;
  const auto rows = static_cast<double>(count);
  ColumnScale scale{.means = std::vector<double>(columns, 0),
                    .deviations = std::vector<double>(columns, 0)};
  for (std::size_t i = 0; i < values.size(); ++i) scale.means[i % columns] += values[i];
  for (double& mean : scale.means) mean /= rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[i] - scale.means[i % columns];
    scale.deviations[i % columns] += off * off;
  }
  for (std::size_t i = 0; i < columns; ++i) {
    scale.deviations[i] = DeviationOf(scale.deviations[i], scale.means[i], rows);
  }
  return scale;
}

void RunningScale::Add(std::span<const double> row) {
  ++rows_;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double off = row[i] - means_[i];
    means_[i] += off / static_cast<double>(rows_);
    squares_[i] += off * (row[i] - means_[i]);
  }
}

ColumnScale RunningScale::Scale() const {
  ColumnScale scale{.means = means_, .deviations = std::vector<double>(means_.size(), 1)};
  if (rows_ == 0) return scale;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    scale.deviations[i] = DeviationOf(squares_[i], means_[i], static_cast<double>(rows_));
  }
  return scale;
}

std::string RunningScale::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutUint(1, rows_);
  writer.PutText(2, Packed<double>(means_));
  writer.PutText(3, Packed<double>(squares_));
  return bytes;
}

Status RunningScale::Restore(std::string_view bytes) {
  RunningScale read(means_.size());
  bool sizes = false;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        read.rows_ = reader.Uint();
        break;
      case 2:
        sizes = UnpackFinite(reader.Text(), read.means_);
        break;
      case 3:
        sizes = UnpackFinite(reader.Text(), read.squares_) && sizes;
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  for (const double square : read.squares_) sizes = sizes && square >= 0;
  if (!sizes) return {Code::kInvalidArgument, "this is no scale of as many columns"};
  *this = std::move(read);
  return {};
}

}  // namespace berth
