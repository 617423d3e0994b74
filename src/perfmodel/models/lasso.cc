#include "perfmodel/lasso.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/packed.h"
#include "base/text.h"
#include "base/wire.h"
#include "perfmodel/column_scale.h"
#include "perfmodel/models/builtin.h"
#include "perfmodel/polynomial.h"

namespace berth {
namespace {

// Products of terms with each other: 800 MB at worst.
constexpr std::size_t kTermsMax = 10'000;
// Rows times terms: half a gibibyte.
constexpr std::size_t kExpandedMax = std::size_t{1} << 26;

Status CheckSize(const ModelSettings& settings, std::size_t rows) {
  const std::size_t terms = MonomialCount(settings.features, settings.degree);
  if (terms > kTermsMax) {
    return {Code::kResourceExhausted,
            fmt::format("{} features make {} terms of degree {}, {} are the most; ask for a lower "
                        "degree, or give fewer columns",
                        settings.features, FormatCount(terms), settings.degree,
                        FormatCount(kTermsMax))};
  }
  if (rows > kExpandedMax / terms) {
    return {Code::kResourceExhausted,
            fmt::format("{} rows of {} terms are too many; ask for a lower degree, or give at most "
                        "{} rows",
                        FormatCount(rows), FormatCount(terms), FormatCount(kExpandedMax / terms))};
  }
  return {};
}

class LassoModel final : public PerformanceModel {
 public:
  explicit LassoModel(const ModelSettings& settings)
      : settings_(settings),
        scale_{.means = std::vector<double>(settings.features, 0),
               .deviations = std::vector<double>(settings.features, 1)},
        result_{.constants = std::vector<double>(settings.targets, 0)} {}

  Status Learn(const ModelRows& rows) override {
    BERTH_RETURN_IF_ERROR(CheckSize(settings_, rows.rows));
    const std::vector<Monomial> monomials = MonomialsUpTo(settings_.features, settings_.degree);
    scale_ = ScaleOf(rows.features, settings_.features);
    std::vector<double> expanded = Expand(rows, monomials);
    const ColumnScale term_scale = ScaleOf(expanded, monomials.size());
    term_scale.Apply(expanded);
    const ColumnScale target_scale = ScaleOf(rows.targets, settings_.targets);
    std::vector<double> targets(rows.targets.begin(), rows.targets.end());
    target_scale.Apply(targets);
    const LassoSolution solution =
        SolveLasso(expanded, targets, rows.rows, {.penalty = settings_.penalty});
    TakeSolution(solution, monomials, term_scale, target_scale);
    return {};
  }

  void Predict(std::span<const double> features, std::span<double> targets) const override {
    result_.Evaluate(Scaled(features), targets);
  }

  void Jacobian(std::span<const double> features, std::span<double> jacobian) const override {
    std::ranges::fill(jacobian, 0);
    result_.AddJacobian(Scaled(features), jacobian);
    for (std::size_t i = 0; i < jacobian.size(); ++i) {
      jacobian[i] /= scale_.deviations[i % settings_.features];
    }
  }

  std::string description() const override {
    return fmt::format("{} of {} terms", result_.monomials.size(),
                       MonomialCount(settings_.features, settings_.degree));
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    writer.PutText(1, Packed<double>(scale_.means));
    writer.PutText(2, Packed<double>(scale_.deviations));
    writer.PutText(3, Packed<double>(result_.constants));
    for (std::size_t m = 0; m < result_.monomials.size(); ++m) {
      const Monomial& monomial = result_.monomials[m];
      writer.PutMessage(4, [&](WireWriter& inner) {
        for (std::uint32_t i = 0; i < monomial.degree; ++i) {
          inner.PutUint(1, monomial.variables[i] + 1);
        }
        inner.PutText(
            2,
            Packed<double>(
                std::span(result_.coefficients).subspan(m * settings_.targets, settings_.targets)));
      });
    }
    return bytes;
  }

  Status Restore(std::string_view bytes) override {
    LassoModel read(settings_);
    bool fits = true;
    WireReader reader(bytes);
    while (reader.Next()) {
      switch (reader.field()) {
        case 1:
          fits = UnpackFinite(reader.Text(), read.scale_.means) && fits;
          break;
        case 2:
          fits = UnpackFinite(reader.Text(), read.scale_.deviations) && fits;
          break;
        case 3:
          fits = UnpackFinite(reader.Text(), read.result_.constants) && fits;
          break;
        case 4:
          fits = read.RestoreTerm(reader.Message()) && fits;
          break;
        default:
          break;
      }
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    for (const double deviation : read.scale_.deviations) fits = fits && deviation > 0;
    if (!fits) return {Code::kInvalidArgument, "this is no lasso model of as many columns"};
    *this = std::move(read);
    return {};
  }

 private:
  std::vector<double> Scaled(std::span<const double> features) const {
    std::vector<double> scaled(features.begin(), features.end());
    scale_.Apply(scaled);
    return scaled;
  }

  std::vector<double> Expand(const ModelRows& rows, std::span<const Monomial> monomials) const {
    std::vector<double> expanded;
    expanded.reserve(rows.rows * monomials.size());
    for (std::size_t i = 0; i < rows.rows; ++i) {
      const std::vector<double> scaled =
          Scaled(rows.features.subspan(i * settings_.features, settings_.features));
      for (const Monomial& monomial : monomials) expanded.push_back(monomial.Of(scaled));
    }
    return expanded;
  }

  // The polynomial in the targets' own units, without the terms that are zero.
  void TakeSolution(const LassoSolution& solution, std::span<const Monomial> monomials,
                    const ColumnScale& term_scale, const ColumnScale& target_scale) {
    result_ = {.constants = target_scale.means};
    for (std::size_t m = 0; m < monomials.size(); ++m) {
      const auto found =
          std::span(solution.coefficients).subspan(m * settings_.targets, settings_.targets);
      if (std::ranges::all_of(found, [](double value) { return value == 0; })) continue;
      result_.monomials.push_back(monomials[m]);
      for (std::size_t t = 0; t < settings_.targets; ++t) {
        const double value = found[t] * target_scale.deviations[t] / term_scale.deviations[m];
        result_.coefficients.push_back(value);
        result_.constants[t] -= value * term_scale.means[m];
      }
    }
  }

  bool RestoreTerm(WireReader reader) {
    Monomial monomial;
    std::vector<double> coefficients(settings_.targets);
    bool fits = false;
    while (reader.Next()) {
      if (reader.field() == 1) {
        const std::uint64_t variable = reader.Uint();
        if (variable < 1 || variable > settings_.features || monomial.degree == kDegreeMax) {
          return false;
        }
        monomial.variables[monomial.degree++] = static_cast<std::uint32_t>(variable - 1);
      } else if (reader.field() == 2) {
        fits = UnpackFinite(reader.Text(), coefficients);
      }
    }
    if (!fits || !reader.status().ok() || monomial.degree == 0) return false;
    result_.monomials.push_back(monomial);
    result_.coefficients.insert(result_.coefficients.end(), coefficients.begin(),
                                coefficients.end());
    return true;
  }

  ModelSettings settings_;
  ColumnScale scale_;   // Of features.
  Polynomials result_;  // In scaled features.
};

}  // namespace

std::unique_ptr<PerformanceModel> MakeLassoModel(const ModelSettings& settings) {
  return std::make_unique<LassoModel>(settings);
}

}  // namespace berth
