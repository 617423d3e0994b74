#include "perfmodel/colocated_apps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "berth/check.h"

namespace berth {
namespace {

// Throughputs and waits depend on each other; they settle within a few rounds.
constexpr int kRounds = 12;
// How hard the corner is between too little load and too little cpu.
constexpr double kCorner = 4;

// The smaller of both, without a corner.
double SoftMin(double a, double b) {
  return std::pow(std::pow(a, -kCorner) + std::pow(b, -kCorner), -1 / kCorner);
}

// The collector stops its own application, and takes all cores from the others meanwhile.
void Pause(DeliveredSlis& one, bool own, Rng& rng) {
  if (own) {
    one.response_ms += 1'500 + 2'000 * rng.Unit();
    one.throughput_rps *= 0.1 + 0.2 * rng.Unit();
  } else {
    one.response_ms *= 2 + rng.Unit();
    one.throughput_rps *= 0.4 + 0.2 * rng.Unit();
  }
}

}  // namespace

std::vector<double> ColocatedApps::CpuOf(std::span<const double> limits,
                                         std::span<const double> used) const {
  std::vector<double> cpu(limits.begin(), limits.end());
  const double asked = std::accumulate(limits.begin(), limits.end(), 0.0);
  const double fits = std::min(1.0, machine_cpu_milli_ / asked);
  double idle = machine_cpu_milli_;
  for (std::size_t i = 0; i < cpu.size(); ++i) {
    cpu[i] *= fits;
    idle -= std::min(used[i], cpu[i]);
  }
  if (kind_ == LimitKind::kSoft) {
    for (std::size_t i = 0; i < cpu.size(); ++i) cpu[i] += 0.5 * idle * limits[i] / asked;
  }
  return cpu;
}

std::vector<DeliveredSlis> ColocatedApps::Measure(std::span<const double> loads,
                                                  std::span<const double> limits_cpu_milli,
                                                  Rng& rng) const {
  BERTH_CHECK(loads.size() == apps_.size() && limits_cpu_milli.size() == apps_.size());
  const double slowness = std::exp(0.12 * rng.Normal());
  std::vector<double> throughput(apps_.size(), 0);
  std::vector<double> used(apps_.size(), 0);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<double> cpu = CpuOf(limits_cpu_milli, used);
    const double all = std::accumulate(used.begin(), used.end(), 0.0);
    for (std::size_t i = 0; i < apps_.size(); ++i) {
      const double busy = (all - used[i]) / machine_cpu_milli_;
      const double wait_s =
          slowness * apps_[i].wait_ms / 1'000 * (1 + apps_[i].feels_others * busy * (1 + busy));
      throughput[i] = SoftMin(loads[i] / wait_s, cpu[i] / (apps_[i].cpu_milli_seconds * slowness));
    }
    for (std::size_t i = 0; i < apps_.size(); ++i) {
      used[i] = throughput[i] * apps_[i].cpu_milli_seconds;
    }
  }
  const std::vector<double> cpu = CpuOf(limits_cpu_milli, used);
  std::vector<DeliveredSlis> delivered(apps_.size());
  for (std::size_t i = 0; i < apps_.size(); ++i) {
    const double mean_ms = loads[i] / throughput[i] * 1'000;
    const double busy = std::min(1.0, used[i] / cpu[i]);
    DeliveredSlis& one = delivered[i];
    one.response_ms = mean_ms * (1.5 + 0.7 * busy * busy) * std::exp(0.10 * rng.Normal());
    one.throughput_rps = throughput[i] * std::exp(0.02 * rng.Normal());
  }
  for (std::size_t i = 0; i < apps_.size(); ++i) {
    const double chance = rng.Unit();
    if (chance < apps_[i].pause_share) {
      for (std::size_t j = 0; j < apps_.size(); ++j) Pause(delivered[j], i == j, rng);
    } else if (chance < apps_[i].pause_share + apps_[i].failure_share) {
      delivered[i].response_ms *= 0.1 + 0.15 * rng.Unit();
    }
  }
  return delivered;
}

ColocatedApps ThreeColocatedApps(LimitKind kind) {
  return ColocatedApps(
      {{.name = "nginx", .cpu_milli_seconds = 0.6, .wait_ms = 180, .feels_others = 0.6},
       {.name = "liberty",
        .cpu_milli_seconds = 0.9,
        .wait_ms = 190,
        .feels_others = 0.8,
        .pause_share = 0.082,
        .failure_share = 0.025},
       {.name = "guestbook", .cpu_milli_seconds = 0.75, .wait_ms = 170, .feels_others = 0.7}},
      4'000, kind);
}

ColocatedApps ManyColocatedApps(std::size_t count, LimitKind kind) {
  std::vector<SimulatedApp> apps;
  apps.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double turn = static_cast<double>(i % 5);
    apps.push_back({.name = fmt::format("app{:02}", i),
                    .cpu_milli_seconds = 0.8 + 0.2 * turn,
                    .wait_ms = 160 + 10 * turn,
                    .feels_others = 0.5 + 0.1 * turn});
  }
  return ColocatedApps(std::move(apps), 4'000.0 / 3 * static_cast<double>(count), kind);
}

}  // namespace berth
