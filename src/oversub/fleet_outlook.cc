#include "oversub/fleet_outlook.h"

#include <algorithm>
#include <utility>

#include "berth/check.h"
#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

// With more newcomers than this a machine's estimate is made as a whole.
constexpr std::size_t kInsertedOneByOne = 2;

std::uint64_t EpochOf(Time now, Duration length) {
  // Never 0, which stands for no outlook; time may begin before 1970.
  const std::int64_t number = now.time_since_epoch().count() / length.count();
  return static_cast<std::uint64_t>(number) + 1;
}

// Clocks of several processes differ.
Step CreationOf(const Instance& instance, Step now) {
  return std::min(StepOf(instance.timeline.created), now);
}

}  // namespace

Time NextEpochAfter(Time now, Duration length) {
  return Time(static_cast<std::int64_t>(EpochOf(now, length)) * length);
}

FleetOutlook::FleetOutlook(std::shared_ptr<DemandInUse> demand,
                           std::shared_ptr<ObservedUsage> observed, const OversubPolicy& policy)
    : demand_(std::move(demand)),
      library_(demand_->library()),
      observed_(std::move(observed)),
      policy_(policy),
      newcomers_(*library_, policy),
      risks_(*library_, {.repetitions = policy.repetitions}),
      held_out_(policy.held_out_per_cluster) {}

void FleetOutlook::Follow(Inventory& view, Time at, Duration late) {
  // A clock may go back, time does not: newcomers of an epoch come before its end.
  const Time now = std::max(followed_at_, at);
  followed_at_ = now;
  followed_late_ = late;
  now_ = StepOf(now);
  const bool epoch_begins = !begun_ || epoch_ != EpochOf(now, policy_.epoch);
  if (epoch_begins) UseLatestLibrary(view, now);
  changed_clusters_.clear();
  view.journal().ForEachClusterSince(
      position_, [&](ClusterIndex cluster) { changed_clusters_.push_back(cluster); });
  FollowRecords(view);
  const std::uint64_t touched = view.journal().position();
  FollowObservations(view);
  RefreshDue(view, StepOf(now - late));
  if (now - outdated_since_ >= late) RefreshOutdated(view, outdated_.size());
  if (epoch_begins) BeginEpoch(view, now);
  view.journal().ForEachClusterSince(touched, [&](ClusterIndex cluster) {
    if (std::ranges::find(changed_clusters_, cluster) == changed_clusters_.end()) {
      changed_clusters_.push_back(cluster);
    }
  });
  for (const ClusterIndex cluster : changed_clusters_) ChooseHeldOut(view, cluster);
  position_ = view.journal().position();
}

bool FleetOutlook::Refresh(Inventory& view, std::uint32_t machines_max) {
  BERTH_CHECK(position_ == view.journal().position());
  const auto any_due = [&] { return !due_.empty() && due_.begin()->first <= now_; };
  std::uint32_t left = machines_max;
  for (; left > 0 && any_due(); --left) {
    const MachineIndex machine{due_.begin()->second};
    RefreshMachine(view, machine);
    risks_.Tighten(At(machine));
  }
  RefreshOutdated(view, left);
  position_ = view.journal().position();
  return any_due() || !outdated_.empty();
}

void FleetOutlook::Observe(const Instance& instance, const Resources& usage, Time at) {
  to_observe_.push_back(
      {.instance = instance.id, .created = instance.timeline.created, .usage = usage, .at = at});
}

void FleetOutlook::UseLatestLibrary(Inventory& view, Time now) {
  if (demand_->At(now) == library_) return;
  RefreshOutdated(view, outdated_.size());  // Those that still draw from the one before this.
  library_before_ = std::exchange(library_, demand_->library());
  newcomers_ = Newcomers(*library_, policy_);
  risks_.UseLibrary(*library_);
  outdated_since_ = now;
  for (std::uint32_t i = 0; i < machines_.size(); ++i) {
    machines_[i].outdated = true;
    outdated_.push_back(i);
  }
}

// The weights of the sum are those of the epoch's beginning: they would change with every arrival.
void FleetOutlook::BeginEpoch(const Inventory& view, Time now) {
  begun_ = true;
  epoch_ = EpochOf(now, policy_.epoch);
  const Time begin((epoch_ - 1) * policy_.epoch);
  const Time last = begin + policy_.epoch - Duration(1);
  newcomers_.BeginEpoch(epoch_, {.begin = StepOf(begin), .end = StepOf(last) + 1});
  const auto clusters = view.clusters();
  weights_.assign(clusters.size(), {});
  for (std::uint32_t i = 0; i < clusters.size(); ++i) {
    std::array<double, kResourceCount> shares{};
    for (const MachineIndex machine : clusters[i].machines) {
      const Resources usage = Usage(machine);
      for (const Resource r : kAllResources) {
        shares[static_cast<std::size_t>(r)] +=
            LoadShare(usage[r], view[machine].record.capacity[r]);
      }
    }
    const double greatest = *std::ranges::max_element(shares);
    for (std::size_t r = 0; greatest > 0 && r < shares.size(); ++r) {
      weights_[i][r] = static_cast<std::uint32_t>(shares[r] / greatest * kPointsMax);
    }
    for (const MachineIndex machine : clusters[i].machines) NoteLoad(view, machine);
  }
  changed_clusters_.clear();
  for (std::uint32_t i = 0; i < clusters.size(); ++i) changed_clusters_.push_back(ClusterIndex{i});
}

void FleetOutlook::FollowRecords(const Inventory& view) {
  machines_.resize(std::max(machines_.size(), view.machines().size()));
  while (risks_.machine_count() < machines_.size()) risks_.AddMachine(ThresholdsOf({}, 1000));
  view.journal().ForEachSince(position_,
                              [&](MachineIndex machine) { FollowMachine(view, machine); });
}

void FleetOutlook::FollowMachine(const Inventory& view, MachineIndex index) {
  const MachineState& state = view[index];
  Mirrored& mirrored = machines_[At(index)];
  const Demand capacity = CapacityDemand(state.record.capacity);
  if (mirrored.name != state.record.name || mirrored.outdated) {
    Forget(index, ThresholdsOf(capacity, policy_.threshold_thousandths));
    mirrored.name = state.record.name;
  } else if (mirrored.capacity != capacity) {
    risks_.SetThresholds(At(index), ThresholdsOf(capacity, policy_.threshold_thousandths));
  }
  mirrored.capacity = capacity;
  risks_.Advance(At(index), now_);
  FollowInstances(view, index);
  NoteDue(index);
  NoteLoad(view, index);
}

void FleetOutlook::Forget(MachineIndex index, const Thresholds& thresholds) {
  Mirrored& mirrored = machines_[At(index)];
  risks_.Clear(At(index), thresholds);
  left_out_ -=
      static_cast<std::uint64_t>(std::ranges::count(mirrored.hosted, true, &Hosted::left_out));
  mirrored.name = MachineId();
  mirrored.hosted.clear();
  mirrored.usage = {};
  mirrored.outdated = false;
}

// Who stays has kept the arrival, and its place among others who stay: only of those that came is
// the service looked at, which lies anywhere in the fleet.
void FleetOutlook::FollowInstances(const Inventory& view, MachineIndex index) {
  const std::vector<InstanceRef>& present = view[index].instances;
  std::vector<Hosted>& hosted = machines_[At(index)].hosted;
  std::size_t stayed = 0;
  left_.clear();
  for (const Hosted& one : hosted) {
    if (stayed < present.size() && present[stayed].arrival == one.arrival) {
      hosted[stayed++] = one;
    } else {
      left_.push_back(one);
    }
  }
  hosted.resize(stayed);
  const auto newest = std::span(present).subspan(stayed);
  for (const InstanceRef ref : newest) __builtin_prefetch(&view[ref.service].record.name);
  came_.clear();
  for (const InstanceRef ref : newest) {
    came_.push_back({TenantKeyOf(view[ref.service].record.name, ref.number), ref});
  }
  // Who was only counted anew, because its service changed, never left.
  std::erase_if(came_, [&](const Present& one) {
    const auto same = std::ranges::find(left_, one.key, &Hosted::key);
    if (same == left_.end() || !IsAsBefore(view, index, *same, one)) return false;
    hosted.push_back(*same);
    hosted.back().arrival = one.ref.arrival;
    left_.erase(same);
    return true;
  });
  if (left_out_ > 0 && !left_.empty()) {
    BringBackLeftOut(view, index);
    stayed = 0;
  }
  Dismiss(index);
  Welcome(view, index);
  std::ranges::sort(std::span(hosted).subspan(stayed), {}, &Hosted::arrival);
}

// Not of another instance of the same name, nor of one whose new limit is what it may be held at.
bool FleetOutlook::IsAsBefore(const Inventory& view, MachineIndex index, const Hosted& before,
                              const Present& one) const {
  Hosted hosted{.key = one.key};
  const HostedTenant tenant = TenantOf(*view[one.ref.service].Find(one.ref.number), hosted);
  if (hosted.created != before.created || hosted.usage != before.usage) return false;
  if (before.left_out) return true;
  const HostedTenant& known = risks_.machine(At(index)).tenant(one.key);
  return known.observed_peak == tenant.observed_peak && known.promised == tenant.promised;
}

// There may be room for them, so they leave and come anew.
void FleetOutlook::BringBackLeftOut(const Inventory& view, MachineIndex index) {
  std::erase_if(machines_[At(index)].hosted, [&](const Hosted& one) {
    if (!one.left_out) return false;
    const auto ref = std::ranges::find(view[index].instances, one.arrival, &InstanceRef::arrival);
    came_.push_back({one.key, *ref});
    left_.push_back(one);
    return true;
  });
}

void FleetOutlook::Dismiss(MachineIndex index) {
  for (const Hosted& hosted : left_) {
    for (const DemandResource r : kAllDemandResources) {
      machines_[At(index)].usage[r] -= hosted.usage[r];
    }
    if (hosted.left_out) {
      --left_out_;
    } else {
      risks_.Remove(At(index), hosted.key);
    }
  }
}

// By key, as no view's order may decide who is left out.
void FleetOutlook::Welcome(const Inventory& view, MachineIndex index) {
  Mirrored& mirrored = machines_[At(index)];
  std::ranges::sort(came_, {}, &Present::key);
  if (mirrored.hosted.empty()) mirrored.hosted.reserve(came_.size());
  std::vector<HostedTenant> arrived;
  std::size_t estimated = risks_.machine(At(index)).tenant_count();
  for (const Present& one : came_) {
    Hosted hosted{.key = one.key, .arrival = one.ref.arrival};
    const HostedTenant tenant = TenantOf(*view[one.ref.service].Find(one.ref.number), hosted);
    for (const DemandResource r : kAllDemandResources) mirrored.usage[r] += hosted.usage[r];
    hosted.left_out = estimated == kTenantsPerMachineMax;
    if (hosted.left_out) {
      ++left_out_;
    } else {
      arrived.push_back(tenant);
      ++estimated;
    }
    mirrored.hosted.push_back(hosted);
  }
  if (arrived.size() > kInsertedOneByOne) return risks_.InsertAll(At(index), arrived);
  for (const HostedTenant& tenant : arrived) risks_.Insert(At(index), tenant);
}

// Fills in what is known of its usage on the way. Of what was never seen of it, it is taken to use
// what those of its class do, and to need its limit when no trace stands for it.
HostedTenant FleetOutlook::TenantOf(const Instance& instance, Hosted& hosted) const {
  hosted.created = instance.timeline.created;
  hosted.tenant_class = newcomers_.ClassOf(instance.type);
  hosted.role = TenantRoleOf(instance.role);
  const Demand limit = UsageDemand(instance.limit);
  hosted.usage = newcomers_.InitialUsage(hosted.tenant_class, hosted.role, limit);
  HostedTenant tenant{.key = hosted.key,
                      .tenant_class = hosted.tenant_class,
                      .role = hosted.role,
                      .creation = CreationOf(instance, now_),
                      .observed_peak = {},
                      .promised = limit};
  const ObservedUsage::Seen* seen = observed_->Find(hosted.key, hosted.created);
  if (seen == nullptr) return tenant;
  for (const DemandResource r : kAllDemandResources) {
    if (!seen->of[r]) continue;
    hosted.usage[r] = seen->last[r];
    tenant.observed_peak[r] = seen->peak[r];
    tenant.promised[r] = 0;
  }
  return tenant;
}

void FleetOutlook::FollowObservations(Inventory& view) {
  for (const Sample& sample : to_observe_) {
    const Instance* instance = view.Find(sample.instance);
    if (instance == nullptr || instance->timeline.created != sample.created) continue;
    const std::uint64_t key = TenantKeyOf(sample.instance.service, sample.instance.number);
    observed_->Note(key, sample.created, sample.usage, sample.at);
    if (!instance->HoldsRoom()) continue;
    const MachineIndex index = *view.IndexOf(instance->machine);
    if (machines_[At(index)].outdated) {
      RefreshMachine(view, index);
      continue;
    }
    std::vector<Hosted>& all = machines_[At(index)].hosted;
    const auto hosted = std::ranges::find(all, key, &Hosted::key);
    if (hosted == all.end() || !TakeObservation(index, *hosted, *instance)) continue;
    NoteLoad(view, index);
    view.NoteChanged(index);
  }
  to_observe_.clear();
}

bool FleetOutlook::TakeObservation(MachineIndex index, Hosted& hosted, const Instance& instance) {
  Hosted now = hosted;
  const HostedTenant tenant = TenantOf(instance, now);
  const bool same_usage = hosted.usage == now.usage;
  PerResource<std::uint64_t>& usage = machines_[At(index)].usage;
  for (const DemandResource r : kAllDemandResources) {
    usage[r] = usage[r] - hosted.usage[r] + now.usage[r];
  }
  hosted = now;
  if (hosted.left_out) return !same_usage;

  const HostedTenant& known = risks_.machine(At(index)).tenant(hosted.key);
  if (known.observed_peak == tenant.observed_peak && known.promised == tenant.promised) {
    return !same_usage;
  }
  risks_.Advance(At(index), now_);
  risks_.Observe(At(index), tenant);
  NoteDue(index);
  return true;
}

void FleetOutlook::RefreshDue(Inventory& view, Step until) {
  while (!due_.empty() && due_.begin()->first <= std::min(until, now_)) {
    RefreshMachine(view, MachineIndex{due_.begin()->second});
  }
}

void FleetOutlook::RefreshOutdated(Inventory& view, std::size_t machines_max) {
  for (; machines_max > 0 && !outdated_.empty(); outdated_.pop_back()) {
    if (!machines_[outdated_.back()].outdated) continue;
    RefreshMachine(view, MachineIndex{outdated_.back()});
    --machines_max;
  }
  if (outdated_.empty()) library_before_.reset();
}

void FleetOutlook::RefreshMachine(Inventory& view, MachineIndex index) {
  if (view[index].vacant()) {  // It left, and nobody said so.
    Forget(index, ThresholdsOf({}, 1000));
    NoteLoad(view, index);
    return NoteDue(index);
  }
  if (machines_[At(index)].outdated) {
    FollowMachine(view, index);
  } else {
    risks_.Advance(At(index), now_);
    NoteDue(index);
  }
  view.NoteChanged(index);
}

void FleetOutlook::NoteDue(MachineIndex index) {
  const auto at = static_cast<std::uint32_t>(index);
  Step& due = machines_[at].due;
  const Step now_due = risks_.machine(at).DueAt();
  if (now_due == due) return;
  if (due != kForever) due_.erase({due, at});
  if (now_due != kForever) due_.insert({now_due, at});
  due = now_due;
}

void FleetOutlook::NoteLoad(const Inventory& view, MachineIndex index) {
  const MachineState& state = view[index];
  const bool usable = !state.vacant() && state.record.health == Health::kReady;
  held_out_.Note(index, state.cluster,
                 usable ? LoadPoints(Usage(index), state.record.capacity, policy_.held_out_by,
                                     WeightsIn(state.cluster))
                        : HeldOut::kUnusable);
}

void FleetOutlook::ChooseHeldOut(Inventory& view, ClusterIndex cluster) {
  held_out_.Choose(view, cluster, [&](MachineIndex machine) {
    if (!view[machine].vacant()) view.NoteChanged(machine);
  });
}

std::size_t FleetOutlook::Followed(MachineIndex machine) const {
  BERTH_CHECK(At(machine) < machines_.size());
  return At(machine);
}

Resources FleetOutlook::Usage(MachineIndex machine) const {
  return ToResources(machines_[Followed(machine)].usage);
}

std::uint64_t FleetOutlook::KnownAs(const Instance& instance) const {
  const std::uint64_t key = TenantKeyOf(instance.id.service, instance.id.number);
  if (observed_->Find(key, instance.timeline.created) == nullptr) return 0;
  Hosted hosted{.key = key};
  const HostedTenant tenant = TenantOf(instance, hosted);
  return newcomers_.Know(tenant, hosted.usage);
}

const Newcomer& FleetOutlook::DrawnFor(const Traits& newcomer) const {
  if (const Newcomer* known = newcomers_.Known(newcomer.known_as)) return *known;
  return newcomers_.Of(newcomer.type.name, TenantRoleOf(newcomer.role),
                       UsageDemand(newcomer.limit));
}

Resources FleetOutlook::NewcomerUsage(const Traits& newcomer) const {
  if (const Demand* known = newcomers_.KnownUsage(newcomer.known_as)) return ToResources(*known);
  return ToResources(newcomers_.InitialUsageOf(newcomer.type.name, TenantRoleOf(newcomer.role),
                                               UsageDemand(newcomer.limit)));
}

Outlook::Risk FleetOutlook::RiskOf(const Traits& newcomer, MachineIndex machine) const {
  const berth::Risk risk = risks_.Score(Followed(machine), DrawnFor(newcomer));
  const DemandResource at_risk = *std::ranges::max_element(
      kAllDemandResources, {}, [&](DemandResource r) { return risk.after_of[r]; });
  return {.repetitions = policy_.repetitions,
          .before = risk.before,
          .after = risk.after,
          .at_risk = ToResource(at_risk)};
}

bool FleetOutlook::StaysBelow(const Traits& newcomer, MachineIndex machine,
                              std::uint32_t theta) const {
  const std::uint64_t below = std::uint64_t{theta} * policy_.repetitions;
  const auto limit = static_cast<std::uint32_t>((below + kPointsMax - 1) / kPointsMax);
  return risks_.StaysBelow(Followed(machine), DrawnFor(newcomer), limit);
}

Outlook::Unforeseen FleetOutlook::unforeseen() const {
  std::uint64_t held = 0;
  for (std::size_t i = 0; i < risks_.machine_count(); ++i) held += risks_.machine(i).held_draws();
  return {.held = static_cast<double>(held) / policy_.repetitions, .left_out = left_out_};
}

LoadWeights FleetOutlook::WeightsIn(ClusterIndex cluster) const {
  return At(cluster) < weights_.size() ? weights_[At(cluster)] : LoadWeights{};
}

std::size_t FleetOutlook::bytes() const {
  std::size_t bytes = risks_.bytes();
  for (const Mirrored& machine : machines_) {
    bytes += sizeof(machine) + machine.hosted.capacity() * sizeof(Hosted);
  }
  return bytes;
}

}  // namespace berth
