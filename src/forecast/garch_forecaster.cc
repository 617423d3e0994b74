#include "forecast/garch_forecaster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "forecast/season_use.h"
#include "forecast/within_reason.h"

namespace berth {
namespace {

// More tell hardly more of three numbers, and each costs a forecast.
constexpr std::size_t kErrorsMost = 200;
// A band a million times as wide holds all that is within reason.
constexpr double kTimesUsualMost = 1e12;

// Which points the method follows to make errors.
struct FollowedPart {
  std::size_t known = 0;               // Points before it,
  std::vector<std::size_t> seasons{};  // those of which they hold two,
  std::vector<std::size_t> used{};     // and those of them that the method then uses.
};

FollowedPart PartAfter(std::size_t known, SeasonsTaken taken, const FitInput& input) {
  FollowedPart part{.known = known, .seasons = SeasonsWithin(input.seasons, known)};
  part.used = SeasonsUsedOf(taken, known, part.seasons);
  return part;
}

// The errors must be those of the model whose bands they move: without its week, weekends look like
// bursts. So as much more is known as it takes for its seasons, if enough errors are left.
FollowedPart PartToFollow(SeasonsTaken taken, const FitInput& input) {
  const std::size_t n = input.values.size();
  const std::size_t known = n - std::min(n / 2, kErrorsMost);
  FollowedPart best = PartAfter(known, taken, input);
  for (std::size_t more = known + 1; more + kGarchErrorsMin <= n; ++more) {
    FollowedPart part = PartAfter(more, taken, input);
    if (part.used.size() > best.used.size()) best = std::move(part);
  }
  return best;
}

std::vector<std::string> NotesOf(const FollowedPart& part, SeasonsTaken taken,
                                 const FitInput& input) {
  std::vector<std::size_t> left_out;
  for (const std::size_t season : SeasonsUsedOf(taken, input.values.size(), input.seasons)) {
    if (std::ranges::find(part.used, season) == part.used.end()) left_out.push_back(season);
  }
  if (left_out.empty()) return {};
  return {
      fmt::format("GARCH of errors without the season of {} points: with it, less than {} "
                  "errors are left",
                  fmt::join(left_out, " or "), kGarchErrorsMin)};
}

// What the value that comes next is off the forecast, as the forecast is told.
double NextError(const FittedForecaster& method, const SeenRange& seen, double value) {
  Forecast next = method.Predict(1, {}, Rng(0));
  KeepWithinReason(next, seen);
  return value - next.mean.front();
}

Result<std::vector<double>> ErrorsOf(FitFunction fit, const FitInput& input,
                                     const FollowedPart& part) {
  const std::span<const double> known = input.values.first(part.known);
  BERTH_TRY(const auto fitted,
            fit({.values = known, .seasons = part.seasons, .rng = input.rng.Fork("known")}));
  SeenRange seen = SeenRange::Of(known);
  std::vector<double> errors;
  errors.reserve(input.values.size() - part.known);
  for (const double value : input.values.subspan(part.known)) {
    errors.push_back(NextError(*fitted, seen, value));
    fitted->Update(value);
    seen.See(value);
  }
  return errors;
}

// A band's half widths; those of all levels move alike.
std::vector<double> HalfWidths(const ForecastBand& band) {
  std::vector<double> half_widths;
  half_widths.reserve(band.lower.size());
  for (std::size_t h = 0; h < band.lower.size(); ++h) {
    half_widths.push_back((band.upper[h] - band.lower[h]) / 2);
  }
  return half_widths;
}

class WithGarch final : public FittedForecaster {
 public:
  WithGarch(std::unique_ptr<FittedForecaster> method, const GarchModel& garch,
            const SeenRange& seen, std::vector<std::string> notes)
      : method_(std::move(method)), garch_(garch), seen_(seen), notes_(std::move(notes)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    Forecast forecast = method_->Predict(horizon, levels, rng);
    if (forecast.bands.empty()) return forecast;
    const std::vector<double> stretches = BandStretches(HalfWidths(forecast.bands.front()), garch_);
    for (ForecastBand& band : forecast.bands) {
      for (std::size_t h = 0; h < horizon; ++h) {
        band.lower[h] = forecast.mean[h] - stretches[h] * (forecast.mean[h] - band.lower[h]);
        band.upper[h] = forecast.mean[h] + stretches[h] * (band.upper[h] - forecast.mean[h]);
      }
    }
    return forecast;
  }

  void Update(double value) override {
    const double error = NextError(*method_, seen_, value);
    garch_.next =
        garch_.constant + garch_.of_square * error * error + garch_.of_variance * garch_.next;
    method_->Update(value);
    seen_.See(value);
  }

  std::string description() const override {
    if (garch_.of_square == 0 && garch_.of_variance == 0) {
      return fmt::format("{}, GARCH(1,1): the variance does not move, bands as they were",
                         method_->description());
    }
    return fmt::format("{}, GARCH(1,1) {:.2f} {:.2f}", method_->description(), garch_.of_square,
                       garch_.of_variance);
  }
  std::string reason() const override { return method_->reason(); }
  std::vector<std::string> notes() const override {
    std::vector<std::string> notes = method_->notes();
    std::ranges::copy(notes_, std::back_inserter(notes));
    return notes;
  }
  std::vector<std::size_t> seasons() const override { return method_->seasons(); }

 private:
  std::unique_ptr<FittedForecaster> method_;
  GarchModel garch_;
  SeenRange seen_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<double> BandStretches(std::span<const double> half_widths, const GarchModel& garch) {
  std::vector<double> stretches(half_widths.size(), 1);
  const double widest = half_widths.empty() ? 0 : std::ranges::max(half_widths);
  if (!(garch.Level() > 0) || !(widest > 0) || !std::isfinite(widest)) return stretches;
  // In units of the widest and of the usual variance, so that no square overflows.
  const double farther = std::min(garch.next / garch.Level(), kTimesUsualMost) - 1;
  double usual = 0;
  double more =
      0;  // Of the variance of the next error than usual, what is left of it in all added.
  for (std::size_t h = 0; h < half_widths.size(); ++h) {
    const double width = half_widths[h] / widest;
    const double added = std::max(0.0, width * width - usual);
    usual += added;
    more = (garch.of_square + garch.of_variance) * more + added;
    if (usual > 0) stretches[h] = std::sqrt(std::max(0.0, 1 + farther * (more / usual)));
  }
  return stretches;
}

Result<std::unique_ptr<FittedForecaster>> FitWithGarch(FitFunction fit, SeasonsTaken taken,
                                                       const FitInput& input) {
  // What the methods of one that chooses take differs; it may be any.
  const SeasonsTaken most = taken == SeasonsTaken::kOfItsMethods ? SeasonsTaken::kAll : taken;
  const FollowedPart part = PartToFollow(most, input);
  BERTH_TRY(const std::vector<double> errors, ErrorsOf(fit, input, part));
  BERTH_TRY(auto fitted, fit(input));
  return std::unique_ptr<FittedForecaster>(
      std::make_unique<WithGarch>(std::move(fitted), FitGarch(errors), SeenRange::Of(input.values),
                                  NotesOf(part, most, input)));
}

}  // namespace berth
