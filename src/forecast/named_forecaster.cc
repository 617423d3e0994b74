// berth/forecast.h: forecasters as users of the library find them, by name.
#include <utility>

#include "berth/forecast.h"
#include "forecast/backtest.h"
#include "forecast/series_forecaster.h"

namespace berth {

std::vector<ForecasterInfo> Forecasters() {
  const std::span<const ForecasterEntry> entries = BuiltinForecasters();
  return {entries.begin(), entries.end()};
}

class Forecaster::Impl {
 public:
  explicit Impl(SeriesForecaster forecaster) : fitted(std::move(forecaster)) {}

  SeriesForecaster fitted;
};

Forecaster::Forecaster(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Forecaster::~Forecaster() = default;
Forecaster::Forecaster(Forecaster&& other) noexcept = default;
Forecaster& Forecaster::operator=(Forecaster&& other) noexcept = default;

Result<Forecaster> Forecaster::Fit(std::string_view method, const TimeSeries& series,
                                   const ForecastOptions& options) {
  BERTH_TRY(const ForecasterEntry* entry, FindForecaster(method));
  BERTH_TRY(SeriesForecaster fitted, SeriesForecaster::Fit(*entry, series, options));
  return Forecaster(std::make_unique<Impl>(std::move(fitted)));
}

Result<Forecast> Forecaster::Predict(std::size_t horizon, std::span<const double> levels) const {
  return impl_->fitted.Predict(horizon, levels);
}

Status Forecaster::Update(std::span<const double> values) { return impl_->fitted.Update(values); }

std::string_view Forecaster::method() const { return impl_->fitted.method(); }
std::string Forecaster::description() const { return impl_->fitted.description(); }
std::string Forecaster::reason() const { return impl_->fitted.reason(); }
const std::vector<std::string>& Forecaster::notes() const { return impl_->fitted.notes(); }
const std::vector<std::size_t>& Forecaster::seasons() const { return impl_->fitted.seasons(); }

Result<BacktestResult> Backtest(std::string_view method, const TimeSeries& series,
                                const BacktestOptions& options) {
  BERTH_TRY(const ForecasterEntry* entry, FindForecaster(method));
  return Backtest(*entry, series, options);
}

}  // namespace berth
