// For tests: a fleet that lives through arrivals, departures, failures, new machines and other
// policies, and after every step the kept answers against those from scratch.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/evaluate.h"
#include "allocate/evaluator.h"
#include "allocate/evict.h"
#include "berth/check.h"
#include "berth/rng.h"
#include "support/random_fleet.h"
#include "support/rule_answers.h"
#include "support/rule_options.h"

namespace berth::testing {

class KeptAgainstScratch {
 public:
  // With an outlook, which then is told of the time and of usage between the asks.
  explicit KeptAgainstScratch(std::uint64_t seed, std::unique_ptr<Outlook> outlook = nullptr)
      : rng_(seed), outlook_(std::move(outlook)) {
    for (const Record& record : RandomTypesAndTenants(rng_)) PutInto(view_, record);
    for (const Record& record : RandomMachines(rng_, /*all_ready=*/false)) PutInto(view_, record);
    ChangePolicy();
  }

  // One step and one comparison: what differs, or nothing.
  std::string Step() {
    now_ += std::chrono::seconds(rng_.Below(300));
    switch (rng_.Below(16)) {
      case 0:
        Depart();
        break;
      case 1:
        Depart();
        break;
      case 2:
        ChangeMachine();
        break;
      case 3:
        if (rng_.Below(8) == 0) AddOrRemoveMachine();
        break;
      case 4:
        if (rng_.Below(30) == 0) ChangePolicy();
        break;
      case 5:
        if (rng_.Below(30) == 0) Oversubscribe();
        break;
      case 6:
        if (rng_.Below(30) == 0) ChangeType();
        break;
      case 7:
        if (rng_.Below(4) == 0) RefreshWhenIdle();
        break;
      case 8:
        if (rng_.Below(50) == 0) evaluator_->kept().EvictOld(now_);
        break;
      case 9:
        if (rng_.Below(10) == 0) ChangeQuota();
        break;
      default:
        break;
    }
    if (services_.size() > kServicesMax) Depart();
    // Last, as an agent does: nothing changes between what is foreseen and what is asked.
    if (outlook_ != nullptr) LookAhead();
    return AskAndPlace();
  }

  const Inventory& view() const { return view_; }
  Time now() const { return now_; }

  // Evaluations that were there already when asked for.
  std::uint64_t hits() const { return hits_ + evaluator_->kept().stats().evaluations.hits; }
  std::uint64_t found() const { return found_; }
  std::uint64_t refused() const { return refused_; }

 private:
  static constexpr std::size_t kServicesMax = 60;
  static constexpr std::size_t kMachinesMin = 10;
  static constexpr std::string_view kLooksAhead = "violation_probability";

  void ChangePolicy() {
    const Document document = ParseDocument(RandomPolicy(), "policy").value();
    Result<AllocatePolicy> parsed = ParseAllocatePolicy(document.root());
    BERTH_CHECK(parsed.ok());
    if (evaluator_ != nullptr) hits_ = hits();
    evaluator_.reset();
    policy_ = std::move(parsed).value();
    evaluator_ = std::make_unique<Evaluator>(policy_, outlook_.get());
  }

  void RefreshWhenIdle() {
    if (outlook_ != nullptr) outlook_->Follow(view_, now_, std::chrono::minutes(30));
    evaluator_->kept().Refresh(view_, 20);
  }

  // A little is observed; the estimate is up to date, or as late as it may be.
  void LookAhead() {
    if (!services_.empty() && rng_.Below(2) == 0) {
      const ServiceState& service = *view_.FindService(services_[rng_.Below(services_.size())]);
      for (const Instance& instance : service.instances) {
        Resources usage;
        for (const Resource r : kAllResources) {
          usage[r] = static_cast<std::int64_t>(
              rng_.Below(static_cast<std::uint64_t>(instance.limit[r]) + 1));
        }
        outlook_->Observe(instance, usage, now_);
      }
    }
    outlook_->Follow(view_, now_, std::chrono::minutes(rng_.Below(2) * 30));
    if (rng_.Below(4) == 0) outlook_->Refresh(view_, 3);
  }

  // Rules in any order, quantized, with tiny caches. Few preferences, so that the last ones still
  // find machines to tell apart, and one of them tells finely.
  std::string RandomPolicy() {
    std::vector<std::string> early;
    std::vector<std::string> late;
    const std::uint64_t fine = rng_.Below(BuiltinRules().size());
    // What changes with the time alone must show.
    const bool looks_ahead_first = outlook_ != nullptr && rng_.Below(2) == 0;
    for (std::size_t i = 0; i < BuiltinRules().size(); ++i) {
      const RuleEntry& entry = BuiltinRules()[i];
      const bool looks_ahead = outlook_ != nullptr && entry.name == kLooksAhead;
      if (looks_ahead && looks_ahead_first) continue;
      const std::unique_ptr<Rule> rule = CreateRule(entry, "");
      const bool validates = AsRefusing(*rule).has_value();
      if (i != fine && !looks_ahead && rng_.Below(4) < (validates ? 1 : 3)) continue;
      const bool of_machines = !validates && rule->depends_on() == DependsOn::kServiceMachine &&
                               dynamic_cast<const ClusterPreference*>(rule.get()) == nullptr;
      std::string given(OptionsThatBite(entry.name));
      if (!validates) {
        const std::uint64_t buckets = i == fine ? 1000 : 1 + rng_.Below(4);
        given = fmt::format("buckets: {}{}{}", buckets, given.empty() ? "" : ", ", given);
      }
      (of_machines ? late : early).push_back(fmt::format("{{{}: {{{}}}}}", entry.name, given));
    }
    rng_.Shuffle(std::span(early));
    if (looks_ahead_first) early.insert(early.begin(), std::string(kLooksAhead));
    early.insert(early.end(), late.begin(), late.end());
    std::string list;
    for (const std::string& rule : early) list += (list.empty() ? "" : ", ") + rule;
    // One after the other: compilers differ in the order of a call's arguments.
    const std::uint64_t clusters = 1 + rng_.Below(4);
    const std::uint64_t evaluations = 1 + rng_.Below(40);
    const std::uint64_t objects = 1 + rng_.Below(80);
    return fmt::format(
        "allocate: {{clusters: {}, cache: {{evaluations: {}, rule_objects: {}, age: 10m}}, "
        "rules: [{}]}}",
        clusters, evaluations, objects, list);
  }

  std::vector<MachineId> Machines() const {
    std::vector<MachineId> names;
    for (const MachineState& machine : view_.machines()) {
      if (!machine.vacant()) names.push_back(machine.record.name);
    }
    return names;
  }
  MachineId AnyMachine() {
    const std::vector<MachineId> names = Machines();
    return names[rng_.Below(names.size())];
  }

  void ChangeMachine() {
    Machine machine = view_.Find(AnyMachine())->record;
    switch (rng_.Below(5)) {
      case 0:
        machine.labels = RandomLabels(rng_);
        machine.update_domain = DomainId(fmt::format("ud{}", rng_.Below(3)));
        break;
      case 1:
        machine.rack = RackId(fmt::format("r{}", rng_.Below(4)));
        break;
      case 2:
        machine.capacity[Resource::kCpu] = 1000 * static_cast<std::int64_t>(8 + rng_.Below(16));
        break;
      default:
        machine.health =
            rng_.Below(3) == 0 ? static_cast<Health>(1 + rng_.Below(3)) : Health::kReady;
        break;
    }
    PutInto(view_, machine);
  }

  void AddOrRemoveMachine() {
    const MachineState& machine = *view_.Find(AnyMachine());
    if (machine.instances.empty() && Machines().size() > kMachinesMin) {
      const RecordKey key = KeyOf(RecordKind::kMachine, machine.record.name.str());
      view_.Install({.key = key, .record = std::nullopt, .revision = view_.revision()});
      return;
    }
    Machine twin = machine.record;
    twin.name = MachineId(fmt::format("n{}", added_++ % 40));
    if (view_.Find(twin.name) != nullptr) return;
    if (rng_.Below(6) == 0) twin.cluster = ClusterId(fmt::format("c{}", rng_.Below(8)));
    PutInto(view_, twin);
  }

  void Oversubscribe() {
    PutInto(view_, PolicyText{PolicyWithEvictions(100 + rng_.Below(3) * 50)});
  }

  void ChangeQuota() {
    const std::string& name = TenantNames()[rng_.Below(TenantNames().size())];
    PutInto(view_, Tenant{.name = TenantId(name), .quota = RandomQuota(rng_)});
  }

  void ChangeType() {
    InstanceType type = *view_.Find(TypeId(TypeNames()[rng_.Below(TypeNames().size())]));
    type.requires_labels.clear();
    if (rng_.Below(2) == 0) type.requires_labels = {{LabelName("disk"), LabelName("ssd")}};
    PutInto(view_, type);
  }

  void Depart() {
    if (services_.empty()) return;
    std::swap(services_[rng_.Below(services_.size())], services_.back());
    const RecordKey key = KeyOf(RecordKind::kService, services_.back());
    view_.Install({.key = key, .record = std::nullopt, .revision = view_.revision()});
    services_.pop_back();
  }

  // An ask of a new service or one more instance of one that runs.
  std::string AskAndPlace() {
    Service service = RandomService(rng_, fmt::format("s{}", asked_++));
    service.klass = RandomClass(rng_);
    if (!services_.empty() && rng_.Below(2) == 0) {
      service = view_.FindService(services_[rng_.Below(services_.size())])->record;
    }
    Footprint footprint;
    if (const ServiceState* state = view_.FindService(service.name)) {
      footprint = Footprint(view_, *state);
    }
    Instance wanted = InstancesOf(view_, service).front();
    if (rng_.Below(2) == 0) wanted.id.number = service.next_number;
    if (rng_.Below(4) == 0) wanted.limit = Sized(1 + static_cast<std::int64_t>(rng_.Below(3)), 2);
    Ask ask = AskFor(view_, service, wanted, footprint, outlook_.get());
    if (footprint.anchor() && rng_.Below(3) == 0) ask.leaving = footprint.anchor();
    std::string different = Compare(ask);
    if (different.empty() && chosen_) Place(service, wanted);
    return different;
  }

  std::string Compare(const Ask& ask) {
    FromScratch scratch(policy_);
    evaluator_->SetTime(now_);
    const auto expected_order = scratch.Order(ask);
    const auto order = evaluator_->Order(ask);
    if (!std::ranges::equal(order, expected_order)) return "the order of clusters";
    const Chooser::Found expected = scratch.Find(ask, expected_order);
    const Chooser::Found kept = evaluator_->Find(ask, expected_order);
    if (kept.best != expected.best) return "the number of the best";
    if (kept.funnel != expected.funnel) return "the funnel";
    for (std::uint32_t n = 0; n < expected.best; ++n) {
      if (evaluator_->Best(ask, n) != scratch.Best(ask, n)) return "the best";
    }
    const auto top = static_cast<std::uint32_t>(rng_.Below(20));
    if (evaluator_->Top(ask, top) != scratch.Top(ask, top)) return "the top";
    chosen_.reset();
    if (expected.best > 0) {
      chosen_ = scratch.Best(ask, static_cast<std::uint32_t>(rng_.Below(expected.best)));
    }
    ++(expected.best > 0 ? found_ : refused_);
    return {};
  }

  void Place(Service service, Instance instance) {
    const ServiceState* known = view_.FindService(service.name);
    instance.id.number = known == nullptr ? 0 : known->record.next_number;
    service.next_number = instance.id.number + 1;
    for (const Instance* victim : ChooseVictims(view_, view_[*chosen_], instance.limit)) {
      Instance waits = *victim;
      waits.machine = MachineId();
      waits.state = InstanceState::kPending;
      PutInto(view_, waits);
    }
    instance.machine = view_[*chosen_].record.name;
    instance.state = InstanceState::kPlaced;
    instance.timeline.created = now_;
    if (known == nullptr) services_.push_back(service.name);
    PutInto(view_, service);
    PutInto(view_, instance);
  }

  Rng rng_;
  Time now_;
  Inventory view_;
  std::unique_ptr<Outlook> outlook_;
  AllocatePolicy policy_;
  std::unique_ptr<Evaluator> evaluator_;
  std::vector<std::string> services_;
  std::uint64_t asked_ = 0;
  std::uint64_t added_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t found_ = 0;
  std::uint64_t refused_ = 0;
  std::optional<MachineIndex> chosen_;
};

}  // namespace berth::testing
