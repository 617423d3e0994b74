#include "forecast/ets_select.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace berth {
namespace {

// Criteria so near each other do not tell models apart (Burnham and Anderson 2002).
constexpr double kIndistinct = 2;
// Found on the developed series of testdata/forecast/split.txt, where 1.02 to 2 are much the same.
constexpr double kForesightTolerance = 1.1;
constexpr std::size_t kForesightOrigins = 14;  // At most about twice as many are tried.

EtsFitted Best(std::vector<EtsFitted> fitted) {
  const double least = std::ranges::min_element(fitted, {}, &EtsFitted::aicc)->aicc;
  const auto simplicity = [&](const EtsFitted& one) {
    const bool as_good = one.aicc <= least + kIndistinct;
    return std::pair(as_good ? one.estimated : std::numeric_limits<std::size_t>::max(), one.aicc);
  };
  return std::move(*std::ranges::min_element(fitted, {}, simplicity));
}

std::vector<EtsFitted> FitEach(std::span<const double> values, std::size_t period,
                               const std::vector<EtsForm>& forms) {
  std::vector<EtsFitted> fitted;
  fitted.reserve(forms.size());
  for (const EtsForm& form : forms) fitted.push_back(FitEts(values, form, period));
  return fitted;
}

std::vector<EtsFitted> FitAll(std::span<const double> values, std::size_t period) {
  const bool all_positive = std::ranges::all_of(values, [](double value) { return value > 0; });
  return FitEach(values, period, AdmissibleForms(period > 0, all_positive));
}

}  // namespace

std::vector<EtsForm> AdmissibleForms(bool seasonal, bool all_positive) {
  std::vector<EtsForm> forms;
  for (const EtsError error : {EtsError::kAdditive, EtsError::kMultiplicative}) {
    const bool proportional = error == EtsError::kMultiplicative;
    if (proportional && !all_positive) continue;
    for (const EtsTrend trend : {EtsTrend::kNone, EtsTrend::kAdditive, EtsTrend::kDamped}) {
      forms.push_back({error, trend, EtsSeason::kNone});
      if (!seasonal) continue;
      forms.push_back({error, trend, EtsSeason::kAdditive});
      // With additive errors a factor may meet a level near zero: the variance has no bound.
      if (proportional) forms.push_back({error, trend, EtsSeason::kMultiplicative});
    }
  }
  return forms;
}

double ForesightError(const EtsFitted& fitted, std::span<const double> values) {
  if (std::isinf(fitted.aicc)) return fitted.aicc;
  if (values.size() < kForesightValues) return 0;
  const std::size_t horizon = values.size() / 3;
  const std::size_t step = std::max<std::size_t>(1, horizon / kForesightOrigins);
  EtsModel model = fitted.model;
  model.state = fitted.start;
  double sum = 0;
  std::size_t count = 0;
  std::size_t seen = 0;
  for (std::size_t origin = horizon; origin + horizon <= values.size(); origin += step) {
    (void)Follow(model, values.subspan(seen, origin - seen), {});
    seen = origin;
    const std::vector<double> means = model.Means(horizon);
    for (std::size_t h = 0; h < horizon; ++h) sum += std::abs(means[h] - values[origin + h]);
    count += horizon;
  }
  return std::isfinite(sum) ? sum / static_cast<double>(count)
                            : std::numeric_limits<double>::infinity();
}

EtsFitted SelectByCriterion(std::span<const double> values, std::size_t period) {
  return Best(FitAll(values, period));
}

EtsFitted SelectAdditive(std::span<const double> values) {
  return Best(FitEach(values, 0, AdmissibleForms(false, false)));
}

EtsFitted SelectByForesight(std::span<const double> values, std::size_t period) {
  std::vector<EtsFitted> fitted = FitAll(values, period);
  std::vector<double> errors;
  errors.reserve(fitted.size());
  for (const EtsFitted& one : fitted) errors.push_back(ForesightError(one, values));
  const double tolerated = kForesightTolerance * *std::ranges::min_element(errors);
  std::vector<EtsFitted> foresighted;
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    if (errors[i] <= tolerated) foresighted.push_back(std::move(fitted[i]));
  }
  return Best(std::move(foresighted));
}

}  // namespace berth
