#include "scale/space/related_lead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace berth {
namespace {

// The related value so many points before a time of the own series; NaN where there is none.
class EarlierValues {
 public:
  EarlierValues(const TimeSeries& own, const TimeSeries& related, std::int64_t lag)
      : related_(related), shift_((own.start - related.start) / own.step - lag) {}

  double At(std::size_t own_index) const {
    const std::int64_t i = static_cast<std::int64_t>(own_index) + shift_;
    if (i < 0 || i >= static_cast<std::int64_t>(related_.values.size())) return std::nan("");
    return related_.values[static_cast<std::size_t>(i)];
  }

 private:
  const TimeSeries& related_;
  std::int64_t shift_;
};

struct LeadLine {
  double constant = 0;
  double slope = 0;
};

LeadLine FitLeadLine(const TimeSeries& own, const EarlierValues& earlier) {
  double n = 0;
  double sum_x = 0;
  double sum_y = 0;
  for (std::size_t i = 0; i < own.values.size(); ++i) {
    if (std::isnan(own.values[i]) || std::isnan(earlier.At(i))) continue;
    n += 1;
    sum_x += earlier.At(i);
    sum_y += own.values[i];
  }
  const double mean_x = sum_x / n;
  const double mean_y = sum_y / n;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < own.values.size(); ++i) {
    if (std::isnan(own.values[i]) || std::isnan(earlier.At(i))) continue;
    xx += (earlier.At(i) - mean_x) * (earlier.At(i) - mean_x);
    xy += (earlier.At(i) - mean_x) * (own.values[i] - mean_y);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  return {.constant = mean_y - slope * mean_x, .slope = slope};
}

}  // namespace

Result<RelatedLead> LeadByRelated(const RelatedMetric& settings, const TimeSeries& own,
                                  const TimeSeries& related) {
  if (own.step != related.step) {
    return Status(Code::kInvalidArgument, "the related series has another step");
  }
  BERTH_TRY(const LaggedCorrelations found,
            Correlate(*settings.correlator, related, own, settings.lag_max));
  if (found.best.lag <= 0 || found.best.value < settings.least) {
    return Status(Code::kNotFound,
                  fmt::format("the correlation is greatest, {:.2f}, at a lag of {}",
                              found.best.value, found.best.lag));
  }
  RelatedLead lead{.lag = 0, .correlation = found.best.value, .series = own};
  const EarlierValues earlier(own, related, found.best.lag);
  const LeadLine line = FitLeadLine(own, earlier);
  const bool never_below_zero = std::ranges::none_of(own.values, [](double v) { return v < 0; });
  for (; lead.lag < found.best.lag; ++lead.lag) {
    const double before = earlier.At(lead.series.values.size());
    if (std::isnan(before)) break;
    const double next = line.constant + line.slope * before;
    lead.series.values.push_back(never_below_zero ? std::max(0.0, next) : next);
  }
  return lead;
}

}  // namespace berth
