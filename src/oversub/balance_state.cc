#include "oversub/balance_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

__extension__ using Wide = __int128;

constexpr int kResources = static_cast<int>(kDemandResourceCount);

PerResource<std::int64_t> ToAmounts(const Demand& demand) {
  using enum DemandResource;
  return {demand[kCpu], demand[kMemory], demand[kDisk]};
}

std::int64_t LevelOf(std::int64_t usage, std::uint32_t capacity) {
  if (capacity == 0) return 0;  // Not recorded.
  return std::min(usage * kLevelOne / capacity, kLevelMax);
}

// A threshold as a whole amount.
std::int64_t RoundedUp(Load threshold) {
  return static_cast<std::int64_t>(std::ceil(threshold / kLoadUnit));
}

}  // namespace

Result<BalanceState> BalanceState::Build(BalanceProblem problem, const TraceLibrary& library,
                                         Step now, const BalanceOptions& options) {
  BERTH_RETURN_IF_ERROR(CheckProblem(problem));
  BalanceState state;
  state.problem_ = std::make_shared<BalanceProblem>(std::move(problem));
  state.options_ = options;
  const BalanceProblem& given = *state.problem_;
  if (options.repetitions > 0) {
    BERTH_TRY(state.future_,
              FutureLoad::Build(given, library, now, options.repetitions, options.kept));
    state.figures_.violations_ahead = state.future_->violations();
  }
  for (const BalanceMachine& machine : given.machines) {
    const Thresholds thresholds = ThresholdsOf(machine.capacity, given.threshold_thousandths);
    using enum DemandResource;
    state.thresholds_.push_back({RoundedUp(thresholds[kCpu]), RoundedUp(thresholds[kMemory]),
                                 RoundedUp(thresholds[kDisk])});
  }
  state.machines_.resize(given.machines.size());
  state.on_machine_.resize(given.machines.size());
  state.first_of_service_.assign(given.services.size(), kNoReplica);
  state.next_of_service_.resize(given.replicas.size());
  state.machine_of_.assign(given.replicas.size(), kNowhere);
  state.place_on_machine_.resize(given.replicas.size());
  for (std::uint32_t i = 0; i < given.replicas.size(); ++i) {
    state.Join(i, given.replicas[i].service);
    if (given.replicas[i].machine != kNowhere) state.Put(i, given.replicas[i].machine);
  }
  return state;
}

std::uint32_t BalanceState::Add(const BalanceReplica& newcomer, const TraceLibrary& library,
                                Step now) {
  BERTH_CHECK(newcomer.machine == kNowhere && newcomer.service < first_of_service_.size());
  if (problem_.use_count() > 1) problem_ = std::make_shared<BalanceProblem>(*problem_);
  const auto number = static_cast<std::uint32_t>(problem_->replicas.size());
  problem_->replicas.push_back(newcomer);
  next_of_service_.push_back(kNoReplica);
  Join(number, newcomer.service);
  machine_of_.push_back(kNowhere);
  place_on_machine_.push_back(0);
  if (future_) future_->Add(newcomer.tenant, library, now, options_.kept);
  return number;
}

void BalanceState::Join(std::uint32_t replica, std::uint32_t service) {
  next_of_service_[replica] = std::exchange(first_of_service_[service], replica);
}

BalanceState::Part BalanceState::PartOf(std::uint32_t machine, const Amounts& usage) const {
  Part part;
  for (const DemandResource r : kAllDemandResources) {
    part.levels[r] = LevelOf(usage[r], problem_->machines[machine].capacity[r]);
    part.violated = part.violated || usage[r] >= thresholds_[machine][r];
  }
  return part;
}

void BalanceState::Exchange(std::uint32_t machine, const Part& by, BalanceFigures& figures) const {
  const MachineNow& now = machines_[machine];
  std::int64_t risen = 0;
  for (const DemandResource r : kAllDemandResources) {
    figures.levels[r] += by.levels[r] - now.levels[r];
    figures.square_levels[r] += by.levels[r] * by.levels[r] - now.levels[r] * now.levels[r];
    risen += by.levels[r] - now.levels[r];
  }
  if (problem_->machines[machine].held_out) figures.held_out_levels += risen;
  figures.violated_now += by.violated ? 1U : 0U;
  figures.violated_now -= now.violated ? 1U : 0U;
}

std::uint64_t BalanceState::MovedWith(std::uint32_t replica, std::uint32_t to) const {
  const std::uint32_t home = problem_->replicas[replica].machine;
  if (home == kNowhere) return figures_.moved;
  return figures_.moved + (to != home ? 1U : 0U) - (machine_of_[replica] != home ? 1U : 0U);
}

BalanceFigures BalanceState::With(std::uint32_t replica, std::uint32_t to) const {
  const std::uint32_t from = machine_of_[replica];
  BalanceFigures figures = figures_;
  if (from == to) return figures;
  if (future_) future_->Prefetch(replica);
  const Amounts usage = ToAmounts(problem_->replicas[replica].usage);
  if (from != kNowhere) Exchange(from, PartOf(from, machines_[from].usage - usage), figures);
  if (to != kNowhere) Exchange(to, PartOf(to, machines_[to].usage + usage), figures);
  figures.moved = MovedWith(replica, to);
  if (future_) figures.violations_ahead = future_->ViolationsWith(replica, from, to);
  return figures;
}

double BalanceState::EnergyByHarm(std::uint32_t replica, std::uint32_t to) const {
  BERTH_CHECK(to != kNowhere && machine_of_[replica] != to);
  const BalanceFigures with = With(replica, to);
  if (!future_) return EnergyOf(with);
  const std::uint64_t elsewhere = future_->ViolationsWith(replica, machine_of_[replica], kNowhere);
  const std::uint64_t brought = with.violations_ahead - elsewhere;
  const std::uint32_t spared = future_->repetitions() - future_->violations(to);
  const double harm = spared == 0 ? 1 : static_cast<double>(brought) / spared;
  const double rise = static_cast<double>(brought) / future_->repetitions();
  return EnergyOf(with) + options_.future_weight * (harm - rise);
}

void BalanceState::Move(std::uint32_t replica, std::uint32_t to) {
  const std::uint32_t from = machine_of_[replica];
  if (from == to) return;
  figures_.moved = MovedWith(replica, to);
  if (future_) {
    future_->Move(replica, from, to);
    figures_.violations_ahead = future_->violations();
  }
  if (from != kNowhere) Take(replica);
  if (to != kNowhere) Put(replica, to);
}

void BalanceState::Put(std::uint32_t replica, std::uint32_t machine) {
  MachineNow& now = machines_[machine];
  const Amounts usage = now.usage + ToAmounts(problem_->replicas[replica].usage);
  const Part part = PartOf(machine, usage);
  Exchange(machine, part, figures_);
  now.usage = usage;
  now.levels = part.levels;
  now.violated = part.violated;
  now.allocated += problem_->replicas[replica].limit;
  machine_of_[replica] = machine;
  place_on_machine_[replica] = static_cast<std::uint32_t>(on_machine_[machine].size());
  on_machine_[machine].push_back(replica);
}

void BalanceState::Take(std::uint32_t replica) {
  const std::uint32_t machine = machine_of_[replica];
  MachineNow& now = machines_[machine];
  const Amounts usage = now.usage - ToAmounts(problem_->replicas[replica].usage);
  const Part part = PartOf(machine, usage);
  Exchange(machine, part, figures_);
  now.usage = usage;
  now.levels = part.levels;
  now.violated = part.violated;
  now.allocated -= problem_->replicas[replica].limit;
  machine_of_[replica] = kNowhere;
  std::vector<std::uint32_t>& list = on_machine_[machine];
  const std::uint32_t place = place_on_machine_[replica];
  list[place] = list.back();
  place_on_machine_[list[place]] = place;
  list.pop_back();
}

bool BalanceState::SharesTooMuch(std::uint32_t replica, std::uint32_t to) const {
  const std::uint32_t service = problem_->replicas[replica].service;
  const BalanceService& may = problem_->services[service];
  const BalanceMachine& target = problem_->machines[to];
  std::uint32_t on_machine = 1;
  std::uint32_t in_rack = 1;
  std::uint32_t in_domain = 1;
  for (std::uint32_t other = first_of_service_[service]; other != kNoReplica;
       other = next_of_service_[other]) {
    const std::uint32_t machine = machine_of_[other];
    if (other == replica || machine == kNowhere) continue;
    on_machine += machine == to ? 1U : 0U;
    in_rack += problem_->machines[machine].rack == target.rack ? 1U : 0U;
    in_domain += problem_->machines[machine].update_domain == target.update_domain ? 1U : 0U;
  }
  return (may.max_per_machine > 0 && on_machine > may.max_per_machine) ||
         (may.max_per_rack > 0 && in_rack > may.max_per_rack) ||
         (may.max_per_update_domain > 0 && in_domain > may.max_per_update_domain);
}

bool BalanceState::Admits(std::uint32_t replica, std::uint32_t to) const {
  const BalanceReplica& record = problem_->replicas[replica];
  if (record.pinned || to == machine_of_[replica]) return false;
  if (!problem_->reaches.empty() && !problem_->reaches[record.reach][to]) return false;
  if (!(machines_[to].allocated + record.limit).FitsIn(problem_->machines[to].usable)) return false;
  for (const DemandResource r : kAllDemandResources) {
    if (machines_[to].usage[r] + record.usage[r] >= thresholds_[to][r]) return false;
  }
  if (MovedWith(replica, to) > options_.moves_max) return false;
  return !SharesTooMuch(replica, to) && Reckons(replica, to);
}

double BalanceState::ExpectedViolations() const {
  if (!future_) return 0;
  return static_cast<double>(figures_.violations_ahead) / future_->repetitions();
}

double BalanceState::ExpectedViolations(std::uint32_t machine) const {
  if (!future_) return 0;
  return static_cast<double>(future_->violations(machine)) / future_->repetitions();
}

double BalanceState::Imbalance(const BalanceFigures& figures) const {
  const auto machines = static_cast<std::int64_t>(machines_.size());
  double sum = 0;
  double weights = 0;
  for (const DemandResource r : kAllDemandResources) {
    const Wide spread =
        Wide{machines} * figures.square_levels[r] - Wide{figures.levels[r]} * figures.levels[r];
    sum += options_.resource_weights[r] * std::sqrt(static_cast<double>(spread));
    weights += options_.resource_weights[r];
  }
  return weights == 0 ? 0 : sum / weights / static_cast<double>(machines * kLevelOne);
}

double BalanceState::Fragmentation(const BalanceFigures& figures) const {
  const auto machines = static_cast<std::int64_t>(machines_.size());
  return static_cast<double>(figures.held_out_levels) /
         static_cast<double>(kResources * machines * kLevelOne);
}

double BalanceState::EnergyOf(const BalanceFigures& figures) const {
  double failovers = static_cast<double>(figures.violated_now);
  if (!problem_->replicas.empty()) {
    failovers +=
        static_cast<double>(figures.moved) / static_cast<double>(problem_->replicas.size());
  }
  if (future_) {
    failovers += options_.future_weight * static_cast<double>(figures.violations_ahead) /
                 future_->repetitions();
  }
  return failovers + Imbalance(figures) + Fragmentation(figures);
}

}  // namespace berth
