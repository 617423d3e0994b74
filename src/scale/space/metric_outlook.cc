#include "scale/space/metric_outlook.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "forecast/series_forecaster.h"
#include "scale/space/related_lead.h"

namespace berth {
namespace {

Result<TimeSeries> MeasuredSeries(const MetricSource& source, const MetricKey& key,
                                  Duration history) {
  BERTH_TRY(TimeSeries last, source.Series(key, 1));
  if (last.values.empty()) {
    return Status(Code::kUnavailable, fmt::format("{}: nothing was measured yet", key.name));
  }
  const std::int64_t points =
      std::clamp<std::int64_t>(history / last.step, 1, static_cast<std::int64_t>(kSeriesPointsMax));
  return source.Series(key, static_cast<std::size_t>(points));
}

// One metric on its way.
class OutlookMaker {
 public:
  OutlookMaker(const GroupMetric& metric, const ScaledApplication& application,
               const MetricSource& source, const OutlookSteps& steps)
      : metric_(metric), application_(application), source_(source), steps_(steps) {}

  Result<MetricOutlook> Make(const MetricKey& key) {
    BERTH_TRY(TimeSeries series, MeasuredSeries(source_, key, metric_.forecast.history));
    series = Filtered(std::move(series));
    if (metric_.related && key.service != MetricKey::kApplication) Lead(key, series);
    BERTH_TRY(series, Aggregated(std::move(series)));
    return Foreseen(series);
  }

 private:
  void Note(const Status& status) {
    outlook_.notes.push_back(fmt::format("{}: {}", metric_.name, status.message()));
  }

  // What has too few points for its filter yet is taken as it is.
  TimeSeries Filtered(TimeSeries series) {
    if (!metric_.filter) return series;
    Result<TimeSeries> filtered =
        ApplyFilter(*metric_.filter->filter, series, metric_.filter->settings);
    if (filtered.ok()) return std::move(filtered).value();
    Note(filtered.status());
    return series;
  }

  // By the related service whose series correlates best.
  void Lead(const MetricKey& key, TimeSeries& series) {
    const ScaledService& service = application_.services[key.service];
    const bool previous = metric_.related->which == RelatedServices::kPrevious;
    std::optional<RelatedLead> best;
    for (const std::size_t other : previous ? service.previous : service.next) {
      MetricKey others = key;
      others.service = other;
      const Result<TimeSeries> measured = MeasuredSeries(source_, others, metric_.forecast.history);
      if (!measured.ok()) continue;
      Result<RelatedLead> lead =
          LeadByRelated(*metric_.related, series, Filtered(measured.value()));
      if (!lead.ok() || (best && lead.value().correlation <= best->correlation)) continue;
      best = std::move(lead).value();
    }
    if (best) series = std::move(best->series);
  }

  // Windows that are not whole say too little, where there are whole ones.
  Result<TimeSeries> Aggregated(TimeSeries series) {
    if (!metric_.aggregation) return series;
    const Duration every = std::max(metric_.aggregation->every, series.step);
    BERTH_TRY(TimeSeries windows, Aggregate(*metric_.aggregation->aggregator, series, every,
                                            metric_.aggregation->settings));
    TimeSeries whole = WholeWindows(windows, series);
    return whole.values.empty() ? std::move(windows) : std::move(whole);
  }

  Result<MetricOutlook> Foreseen(const TimeSeries& series) {
    const Time end = series.start + series.step * static_cast<std::int64_t>(series.values.size());
    outlook_.now = series.values.back();
    const Time until = steps_.now + steps_.step * static_cast<std::int64_t>(steps_.steps);
    const auto points = static_cast<std::size_t>(std::clamp<std::int64_t>(
        (until - end + series.step - Duration(1)) / series.step, 1, kHorizonMax));
    BERTH_TRY(
        const SeriesForecaster forecaster,
        SeriesForecaster::Fit(*metric_.forecast.method, series,
                              {.seasons = metric_.forecast.seasons, .cost_max = kLiveFitCostMax}));
    for (const std::string& note : forecaster.notes()) {
      outlook_.notes.push_back(fmt::format("{}: {}", metric_.name, note));
    }
    BERTH_TRY(const Forecast forecast,
              forecaster.Predict(points, std::span(&metric_.forecast.level, 1)));
    for (std::size_t i = 0; i < steps_.steps; ++i) {
      const Time at = steps_.now + steps_.step * static_cast<std::int64_t>(i);
      AddStep(forecast, (at - end) / series.step, at < end);
    }
    return std::move(outlook_);
  }

  // A point holds until the next; what is not over yet is the last that was measured.
  void AddStep(const Forecast& forecast, std::int64_t point, bool measured) {
    if (measured) {
      for (auto* path : {&outlook_.mean, &outlook_.lower, &outlook_.upper}) {
        path->push_back(outlook_.now);
      }
      return;
    }
    const auto i = static_cast<std::size_t>(
        std::min(point, static_cast<std::int64_t>(forecast.mean.size()) - 1));
    outlook_.mean.push_back(forecast.mean[i]);
    outlook_.lower.push_back(forecast.bands.front().lower[i]);
    outlook_.upper.push_back(forecast.bands.front().upper[i]);
  }

  const GroupMetric& metric_;
  const ScaledApplication& application_;
  const MetricSource& source_;
  const OutlookSteps& steps_;
  MetricOutlook outlook_;
};

Result<MetricKey> KeyOf(const GroupMetric& metric, std::size_t service,
                        const ScaledApplication& application) {
  MetricKey key{.name = metric.name, .service = service, .request_type = metric.request_type};
  if (metric.of_application) key.service = MetricKey::kApplication;
  if (metric.of_service.empty()) return key;
  const auto found =
      std::ranges::find(application.services, metric.of_service, &ScaledService::name);
  if (found == application.services.end()) {
    return Status(Code::kInvalidArgument, fmt::format("{}: there is no service {}", metric.name,
                                                      Quoted(metric.of_service)));
  }
  key.service = static_cast<std::size_t>(found - application.services.begin());
  return key;
}

}  // namespace

Result<const MetricOutlook*> MetricWindow::Outlook(const GroupMetric& metric, std::size_t service) {
  BERTH_TRY(const MetricKey key, KeyOf(metric, service, application_));
  auto known = kept_.find({&metric, key.service});
  if (known == kept_.end()) {
    known = kept_
                .emplace(std::pair(&metric, key.service),
                         OutlookMaker(metric, application_, source_, steps_).Make(key))
                .first;
  }
  if (!known->second.ok()) return known->second.status();
  return &known->second.value();
}

std::optional<double> MetricWindow::Last(std::string_view metric, std::size_t service) const {
  const Result<TimeSeries> last = source_.Series({.name = metric, .service = service}, 1);
  if (!last.ok() || last.value().values.empty()) return std::nullopt;
  return last.value().values.back();
}

}  // namespace berth
