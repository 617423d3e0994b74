// bench_rightsize: how fast limits are recommended, on one core, and that the ensemble says what
// the equations say. CPU seconds of one thread.
#include <fmt/format.h>
#include <malloc.h>

#include <cmath>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/bar.h"
#include "bench/rightsize/frontier.h"
#include "berth/check.h"
#include "berth/rng.h"
#include "rightsize/direct_ensemble_testing.h"
#include "rightsize/ensemble.h"
#include "rightsize/recommenders/window.h"
#include "rightsize/weighed_ensemble.h"

namespace berth {
namespace {

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A day's rhythm, noise and bursts: what one instance takes, as a share of its usual.
double LoadAt(int step, Rng& rng) {
  const double day = 1 + 0.5 * std::sin(2 * 3.14159265 * step / 288);
  return day * std::exp(0.2 * rng.Normal()) * (rng.Below(200) == 0 ? 2.5 : 1);
}

// So many windows of a job, of so many samples each.
std::vector<WindowHistogram> JobWindows(Rng& rng, int windows, int samples) {
  const double usual = 100 * std::exp(1.3 * rng.Normal());
  std::vector<WindowHistogram> job(static_cast<std::size_t>(windows));
  for (int step = 0; step < windows; ++step) {
    for (int i = 0; i < samples; ++i) {
      job[static_cast<std::size_t>(step)].Add(
          Buckets::Of(Resource::kCpu).Find(usual * LoadAt(step, rng)));
    }
  }
  return job;
}

double EnsembleWindowsPerSecond(const EnsembleModels& models, int samples) {
  constexpr int kJobs = 20;
  constexpr int kWindows = 2000;
  const EnsembleWeights weights;
  Rng rng(1);
  double seconds = 0;
  for (int i = 0; i < kJobs; ++i) {
    const std::vector<WindowHistogram> job = JobWindows(rng, kWindows, samples);
    Ensemble ensemble(models, weights);
    const double begin = CpuSeconds();
    for (const WindowHistogram& window : job) ensemble.Observe(window);
    seconds += CpuSeconds() - begin;
  }
  return kJobs * kWindows / seconds;
}

double DirectWindowsPerSecond(const EnsembleModels& models, int samples, int windows) {
  const EnsembleWeights weights;
  Rng rng(1);
  const std::vector<WindowHistogram> job = JobWindows(rng, windows, samples);
  DirectEnsemble direct(models, weights);
  const double begin = CpuSeconds();
  for (const WindowHistogram& window : job) direct.Observe(window);
  return windows / (CpuSeconds() - begin);
}

EnsembleModels ModelsOf(std::size_t decays, std::size_t margins) {
  EnsembleModels models;
  for (std::size_t i = 0; i < decays; ++i) {
    models.decays.push_back(0.0005F * static_cast<float>(i + 1));
  }
  for (std::size_t i = 0; i < margins; ++i) models.margins.push_back(static_cast<UsageBucket>(i));
  return models;
}

double WeighedWindowsPerSecond(int samples) {
  constexpr int kJobs = 20;
  constexpr int kWindows = 2000;
  const EnsembleModels models = EnsembleModels::Wide();
  const EnsembleWeights weights;
  Rng rng(1);
  double seconds = 0;
  for (int i = 0; i < kJobs; ++i) {
    const std::vector<WindowHistogram> job = JobWindows(rng, kWindows, samples);
    WeighedEnsemble ensemble(Buckets::Of(Resource::kCpu), models, weights, OverrunCost::kBySize);
    const double begin = CpuSeconds();
    for (const WindowHistogram& window : job) ensemble.Observe(window);
    seconds += CpuSeconds() - begin;
  }
  return kJobs * kWindows / seconds;
}

void RunEnsembleSpeed(bool full) {
  const EnsembleModels usual = EnsembleModels::Usual();
  const double fast = EnsembleWindowsPerSecond(usual, 30);
  const double direct = DirectWindowsPerSecond(usual, 30, full ? 400 : 60);
  fmt::print(
      "ensemble of {} models, {} buckets: {:.0f} job-windows/s; as the equations stand: "
      "{:.1f}/s\n",
      usual.size(), Buckets::kCount, fast, direct);
  PrintBar("rightsize_ensemble_windows_per_s", fast, ">=", 20'000);
  PrintBar("rightsize_ensemble_times_direct", fast / direct, ">=", 50);
  PrintBar("rightsize_weighed_ensemble_windows_per_s", WeighedWindowsPerSecond(30), ">=", 20'000);
  fmt::print("decays  margins  samples  job-windows/s\n");
  for (const auto& [decays, margins, samples] : {std::array{5, 20, 1},
                                                 {5, 20, 30},
                                                 {5, 20, 1000},
                                                 {5, 80, 30},
                                                 {20, 20, 30},
                                                 {80, 20, 30}}) {
    fmt::print("{:6} {:8} {:8} {:14.0f}\n", decays, margins, samples,
               EnsembleWindowsPerSecond(
                   ModelsOf(static_cast<std::size_t>(decays), static_cast<std::size_t>(margins)),
                   samples));
  }
}

// Often round, so that costs are equal.
float DrawWeight(Rng& rng) {
  return rng.Below(2) == 0 ? static_cast<float>(rng.Below(5)) * 0.25F
                           : static_cast<float>(rng.Unit());
}

// Jobs of a hundred windows, each with weights and models of its own; how many windows differ.
void RunEquality(bool full) {
  const int jobs = full ? 1000 : 50;
  constexpr int kWindows = 100;
  Rng rng(7);
  int different = 0;
  for (int i = 0; i < jobs; ++i) {
    const EnsembleWeights weights = {.model_decay = 0.01F + 0.99F * DrawWeight(rng),
                                     .overrun = DrawWeight(rng),
                                     .underrun = DrawWeight(rng),
                                     .limit_change = 0.5F * DrawWeight(rng),
                                     .model_change = 0.5F * DrawWeight(rng)};
    EnsembleModels models;
    for (const float decay : {1.0F, 0.5F, 0.125F, 0.01F}) {
      if (rng.Below(3) > 0 || decay == 0.01F) models.decays.push_back(decay);
    }
    for (UsageBucket margin = 0; margin < 3; ++margin) models.margins.push_back(margin * 2);
    Ensemble ensemble(models, weights);
    DirectEnsemble direct(models, weights);
    for (const WindowHistogram& window :
         JobWindows(rng, kWindows, static_cast<int>(1 + rng.Below(8)))) {
      ensemble.Observe(window);
      direct.Observe(window);
      if (*ensemble.limit() != direct.limit || *ensemble.model() != direct.model) ++different;
    }
  }
  fmt::print("{} windows with random weights, decided as the equations do but for {}\n",
             jobs * kWindows, different);
  PrintBar("rightsize_ensemble_windows_different", different, "<=", 0);
}

// A container: windows of its cpu and of its memory.
struct SizedContainer {
  MovingWindow cpu{{.resource = Resource::kCpu}};
  MovingWindow memory{{.resource = Resource::kMemory}};
};

constexpr std::size_t kContainers = 2000;
constexpr int kSamplesAWindow = 5;  // One a minute, as VPA has.

// What containers took in five minutes, drawn beforehand.
struct RawWindow {
  float cpu[kSamplesAWindow];
  float memory[kSamplesAWindow];
};

std::vector<RawWindow> DrawRawWindows(std::size_t count) {
  Rng rng(3);
  std::vector<RawWindow> windows(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (int j = 0; j < kSamplesAWindow; ++j) {
      windows[i].cpu[j] = static_cast<float>(300 * LoadAt(static_cast<int>(i % 288), rng));
      windows[i].memory[j] = static_cast<float>(0x1p30 * (1 + 0.1 * rng.Normal()));
    }
  }
  return windows;
}

void TakeWindow(SizedContainer& container, const RawWindow& raw, Time end,
                WindowHistogram& histogram) {
  histogram.Clear();
  for (const float sample : raw.cpu) histogram.Add(Buckets::Of(Resource::kCpu).Find(sample));
  container.cpu.Observe({.end = end, .samples = raw.cpu, .histogram = histogram});
  const float peak = *std::max_element(std::begin(raw.memory), std::end(raw.memory));
  histogram.Clear();
  histogram.Add(Buckets::Of(Resource::kMemory).Find(peak));
  container.memory.Observe({.end = end, .samples = std::span(&peak, 1), .histogram = histogram});
}

void RunWindows(bool full) {
  const int windows = full ? 14 * 288 : 288;
  const std::vector<RawWindow> raw = DrawRawWindows(4096);
  const std::size_t before = mallinfo2().uordblks;
  std::vector<std::unique_ptr<SizedContainer>> containers;
  for (std::size_t i = 0; i < kContainers; ++i) {
    containers.push_back(std::make_unique<SizedContainer>());
  }
  WindowHistogram histogram;
  const double begin = CpuSeconds();
  for (int step = 0; step < windows; ++step) {
    const Time end(std::chrono::hours(1000) + std::chrono::minutes(5) * step);
    for (std::size_t i = 0; i < kContainers; ++i) {
      const std::size_t drawn = (i * 97 + static_cast<std::size_t>(step)) % raw.size();
      TakeWindow(*containers[i], raw[drawn], end, histogram);
    }
  }
  const double took = CpuSeconds() - begin;
  const auto bytes =
      static_cast<double>(mallinfo2().uordblks - before) / static_cast<double>(kContainers);
  const double samples = 2.0 * kSamplesAWindow * static_cast<double>(kContainers) * windows;
  fmt::print("windows: {} containers, {} windows of {} samples of cpu and of memory\n", kContainers,
             windows, kSamplesAWindow);
  PrintBar("rightsize_window_million_samples_per_s", samples / took / 1e6, ">=", 10);
  PrintBar("rightsize_window_bytes_a_container", bytes, "<=", 3300);

  constexpr int kRounds = 200;
  std::int64_t sum = 0;
  const double asked = CpuSeconds();
  for (int round = 0; round < kRounds; ++round) {
    for (const std::unique_ptr<SizedContainer>& container : containers) {
      const SizeAdvice cpu = *container->cpu.Recommend();
      const SizeAdvice memory = *container->memory.Recommend();
      sum += cpu.target + cpu.lower + cpu.upper + memory.target + memory.lower + memory.upper;
    }
  }
  BERTH_CHECK(sum > 0);
  const double answered = kRounds * static_cast<double>(kContainers);
  PrintBar("rightsize_window_million_recommendations_per_s",
           answered / (CpuSeconds() - asked) / 1e6, ">=", 2);
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  berth::RunEnsembleSpeed(full);
  berth::RunEquality(full);
  berth::RunWindows(full);
  berth::RunFrontier();
  return 0;
}
