// The simulator of applications: hops a second, the case that its forerunner was measured with, and
// a large application for an hour. --full: all of that hour; otherwise a tenth.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <string_view>

#include "appsim/app_testing.h"
#include "bench/appsim/multiverse.h"
#include "bench/appsim/sweep.h"
#include "bench/bar.h"
#include "bench/cpu_watch.h"
#include "berth/check.h"

namespace berth {
namespace {

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Up and down once in ten minutes, in steps of ten seconds.
std::vector<double> Waves(double low, double high, std::size_t steps) {
  std::vector<double> rates;
  rates.reserve(steps);
  for (std::size_t i = 0; i < steps; ++i) {
    rates.push_back(low + (high - low) * (1 - std::cos(static_cast<double>(i) * 0.1047)) / 2);
  }
  return rates;
}

struct Measured {
  AppOutcome outcome;
  double seconds = 0;
};

Measured Simulate(const AppModel& model, Autoscaler* autoscaler) {
  const CpuWatch watch;
  auto outcome = SimulateApp(model, {.autoscaler = autoscaler});
  const double seconds = watch.seconds();
  BERTH_CHECK(outcome.ok());
  return {.outcome = std::move(outcome).value(), .seconds = seconds};
}

void Print(std::string_view name, const Measured& run) {
  const TypeOutcome& type = run.outcome.types.front();
  const auto sent = static_cast<double>(type.sent), hops = static_cast<double>(run.outcome.hops);
  fmt::print(
      "{}: {} requests, {:.1f} hops each, {:.2f} % answered, {:.3f} s, {:.2f} million hops/s, at "
      "most {} under way\n",
      name, type.sent, hops / sent, 100 * static_cast<double>(type.answered) / sent, run.seconds,
      hops / run.seconds / 1e6, run.outcome.under_way_max);
}

// Seven services, of which three call two others each, with links, timeouts and a policy.
AppModel SevenServices(double low, double high, Duration duration) {
  AppModel model = testing::TreeApp(7, 2, 4);
  model.duration = duration;
  const Duration step = std::chrono::seconds(10);
  testing::AddLoad(model, Waves(low, high, static_cast<std::size_t>(duration / step)), step);
  return model;
}

void RunHops() {
  testing::RatioScaler scaler(7, 0.6, std::chrono::seconds(30));
  const Measured run = Simulate(SevenServices(200, 1'000, std::chrono::minutes(20)), &scaler);
  Print("7 services", run);
  PrintBar("appsim_million_hops_a_s", static_cast<double>(run.outcome.hops) / run.seconds / 1e6,
           ">=", 2);
}

void RunThesisCase() {
  testing::RatioScaler scaler(7, 0.6, std::chrono::seconds(30));
  AppModel model = testing::TreeApp(7, 2, 1);
  model.duration = std::chrono::minutes(10);
  testing::AddLoad(model, {15'000.0 / 3'600}, std::chrono::minutes(10));
  const Measured run = Simulate(model, &scaler);
  Print("15,000 requests/h, 10 minutes", run);
  PrintBar("appsim_thesis_case_s", run.seconds, "<=", 0.05);
}

void RunLarge(bool full) {
  AppModel model = testing::TreeApp(10, 3, 160);
  model.duration = full ? std::chrono::minutes(60) : std::chrono::minutes(6);
  testing::AddLoad(model, {10'000}, model.duration);
  const Measured run = Simulate(model, nullptr);
  Print(full ? "10 services, 10,000 requests/s, an hour" : "a tenth of that hour", run);
  const double of_hour = full ? 1 : 10;
  PrintBar("appsim_hour_of_10000_rps_min", of_hour * run.seconds / 60, "<=", 5);
  PrintBar("appsim_hour_of_10000_rps_mb", PeakMegabytes(), "<=", 500);
}

// Hops a second as the application grows, at the same use of every instance.
void RunGrowth() {
  for (const std::uint64_t nodes : {1U, 10U, 100U, 1000U}) {
    AppModel model = testing::TreeApp(7, 2, nodes);
    const auto rate = 50.0 * static_cast<double>(nodes);
    model.duration = Duration(static_cast<std::int64_t>(1e5 / rate * 1e6));
    testing::AddLoad(model, {rate}, model.duration);
    Print(fmt::format("7 services x {} instances", nodes), Simulate(model, nullptr));
  }
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  berth::RunHops();
  berth::RunThesisCase();
  berth::RunGrowth();
  berth::RunMultiverse();
  berth::RunSweepScaling();
  berth::RunLarge(full);
  return 0;
}
