#include "oversub/anneal.h"

#include <cmath>
#include <utility>
#include <vector>

#include "base/quantiles.h"

namespace berth {
namespace {

constexpr std::size_t kSamples = 100;
constexpr int kDrawsForSamples = 10'000;
constexpr double kCooling = 1e-3;  // The last temperature over the first.
constexpr int kTidyingsMax = 3;
constexpr std::uint64_t kProgressEvery = 256;

struct Trial {
  std::uint32_t replica = 0;
  std::uint32_t to = 0;
};

class Annealing {
 public:
  Annealing(BalanceState& state, Rng& rng) : state_(state), rng_(rng) {
    for (std::uint32_t i = 0; i < state.problem().machines.size(); ++i) {
      if (state.ViolatedNow(i)) violated_.push_back(i);
    }
  }

  AnnealResult Run(const AnnealOptions& options) {
    const double first = FirstTemperature();
    // Nothing can be moved, or it is all the same.
    if (first == 0) return result_;
    const double cooling = std::pow(kCooling, 1 / static_cast<double>(options.steps));
    double temperature = first;
    double energy = state_.energy();
    best_ = energy;
    for (std::uint64_t i = 0; i < options.steps; ++i) {
      if (options.on_progress && i % kProgressEvery == 0) options.on_progress(i);
      Try(temperature, energy);
      temperature *= cooling;
    }
    ReturnToBest();
    Tidy();
    return result_;
  }

 private:
  std::optional<Trial> Draw() {
    const std::uint64_t replicas = state_.problem().replicas.size();
    Trial trial{.replica = static_cast<std::uint32_t>(rng_.Below(replicas)),
                .to = static_cast<std::uint32_t>(rng_.Below(state_.problem().machines.size()))};
    if (!violated_.empty() && rng_.Below(2) == 0) {
      const std::size_t which = rng_.Below(violated_.size());
      const std::uint32_t machine = violated_[which];
      if (!state_.ViolatedNow(machine)) {
        violated_[which] = violated_.back();
        violated_.pop_back();
        return std::nullopt;
      }
      const auto on = state_.ReplicasOn(machine);
      trial.replica = on[rng_.Below(on.size())];
    } else if (rng_.Below(4) == 0) {
      trial.to = state_.problem().replicas[trial.replica].machine;
    }
    if (state_.MachineOf(trial.replica) == kNowhere || trial.to == kNowhere) return std::nullopt;
    if (!state_.Admits(trial.replica, trial.to)) return std::nullopt;
    return trial;
  }

  double FirstTemperature() {
    if (state_.problem().replicas.empty()) return 0;
    const double energy = state_.energy();
    std::vector<double> changes;
    for (int i = 0; i < kDrawsForSamples && changes.size() < kSamples; ++i) {
      const std::optional<Trial> trial = Draw();
      if (!trial) continue;
      changes.push_back(std::abs(state_.EnergyOf(state_.With(trial->replica, trial->to)) - energy));
    }
    return changes.empty() ? 0 : Quantile(std::move(changes), 0.5);
  }

  void Try(double temperature, double& energy) {
    const std::optional<Trial> trial = Draw();
    if (!trial) return;
    ++result_.admitted;
    const double with = state_.EnergyOf(state_.With(trial->replica, trial->to));
    if (with > energy && rng_.Unit() >= std::exp((energy - with) / temperature)) return;
    ++result_.taken;
    way_back_.push_back({trial->replica, state_.MachineOf(trial->replica)});
    state_.Move(trial->replica, trial->to);
    energy = with;
    if (energy >= best_) return;
    best_ = energy;
    way_back_.clear();
  }

  void ReturnToBest() {
    for (; !way_back_.empty(); way_back_.pop_back()) {
      state_.Move(way_back_.back().replica, way_back_.back().to);
    }
  }

  // Sends home whoever may as well be there.
  void Tidy() {
    for (int round = 0; round < kTidyingsMax; ++round) {
      bool changed = false;
      for (std::uint32_t i = 0; i < state_.problem().replicas.size(); ++i) {
        const std::uint32_t home = state_.problem().replicas[i].machine;
        if (home == kNowhere || state_.MachineOf(i) == home || !state_.Admits(i, home)) continue;
        if (state_.EnergyOf(state_.With(i, home)) > state_.energy()) continue;
        state_.Move(i, home);
        changed = true;
      }
      if (!changed) return;
    }
  }

  BalanceState& state_;
  Rng& rng_;
  AnnealResult result_;
  std::vector<std::uint32_t> violated_;  // At the start: no move violates a machine.
  double best_ = 0;
  std::vector<Trial> way_back_;  // From here to the best state, the last first.
};

}  // namespace

AnnealResult Anneal(BalanceState& state, const AnnealOptions& options, Rng& rng) {
  return Annealing(state, rng).Run(options);
}

std::optional<std::uint32_t> BestMachineFor(const BalanceState& state, std::uint32_t replica) {
  std::optional<std::uint32_t> best;
  double least = HUGE_VAL;
  for (std::uint32_t to = 0; to < state.problem().machines.size(); ++to) {
    if (!state.Admits(replica, to)) continue;
    const double energy = state.EnergyOf(state.With(replica, to));
    if (energy >= least) continue;
    least = energy;
    best = to;
  }
  return best;
}

}  // namespace berth
