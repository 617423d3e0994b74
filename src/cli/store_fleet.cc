#include "cli/store_fleet.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "serve/messages.h"
#include "serve/service_levels.h"
#include "serve/why_not.h"

namespace berth {
namespace {

// A store that nobody serves stands where its last instance changed.
Time LastTransition(const Inventory& fleet) {
  Time last;
  for (const ServiceState& service : fleet.services()) {
    for (const KeptInstance& instance : service.instances) {
      last = std::max(last, instance.timeline.since);
    }
  }
  return last;
}

class StoreFleet final : public FleetReader {
 public:
  explicit StoreFleet(std::unique_ptr<StoreReader> reader) : reader_(std::move(reader)) {}

  Result<ListOf<v1::MachineState>> Machines(std::size_t most) override {
    std::vector<const MachineState*> machines;
    for (const MachineState& machine : fleet().machines()) {
      if (!machine.vacant()) machines.push_back(&machine);
    }
    std::ranges::sort(machines, {}, [](const MachineState* m) { return m->record.name; });
    return ToMessages<v1::MachineState>(machines, most);
  }
  Result<ListOf<v1::ServiceSummary>> Services(std::size_t most) override {
    std::vector<const ServiceState*> services;
    for (const ServiceState& service : fleet().services()) {
      if (!service.vacant()) services.push_back(&service);
    }
    std::ranges::sort(services, {}, [](const ServiceState* s) { return s->record.name; });
    return ToMessages<v1::ServiceSummary>(services, most);
  }
  Result<ListOf<v1::Instance>> Instances(std::size_t most) override {
    std::vector<const Instance*> instances;
    for (const ServiceState& service : fleet().services()) {
      for (const Instance& instance : service.instances) instances.push_back(&instance);
    }
    std::ranges::sort(instances, {}, [](const Instance* i) { return i->id; });
    return ToMessages<v1::Instance>(instances, most);
  }
  Result<ListOf<v1::InstanceType>> Types(std::size_t most) override {
    return ToMessages<v1::InstanceType>(fleet().TypesByName(), most);
  }
  Result<ListOf<v1::TenantState>> Tenants(std::size_t most) override {
    std::vector<const TenantState*> tenants;
    for (const TenantState& tenant : fleet().tenants()) {
      if (!tenant.record.name.empty()) tenants.push_back(&tenant);
    }
    std::ranges::sort(tenants, {}, [](const TenantState* t) { return t->record.name; });
    return ToMessages<v1::TenantState>(tenants, most);
  }
  Result<ListOf<v1::PendingInstance>> Pending(std::size_t most) override {
    ListOf<v1::PendingInstance> listed{.items = PendingIn(fleet(), {}, LastTransition(fleet()))};
    listed.more = listed.items.size() > most;
    if (listed.more) listed.items.resize(most);
    return listed;
  }
  Result<v1::ServiceLevels> ServiceLevels() override {
    return ServiceLevelsIn(fleet(), LastTransition(fleet()));
  }
  Result<ListOf<v1::ExplainedDecision>> Decisions(std::size_t most) override {
    const std::vector<Decision> decisions = reader_->LatestDecisions(most + 1);
    std::vector<const Decision*> pointers;
    pointers.reserve(decisions.size());
    for (const Decision& decision : decisions) pointers.push_back(&decision);
    return ToMessages<v1::ExplainedDecision>(pointers, most);
  }

  Result<v1::ExplainedDecision> Explain(const std::string& id) override {
    const std::optional<DecisionId> parsed = ParseDecisionId(id);
    if (!parsed) {
      return Status(
          Code::kInvalidArgument,
          fmt::format("{} is no decision; give an agent and a number, like a0-17", Quoted(id)));
    }
    BERTH_TRY(const Decision decision, reader_->ReadDecision(*parsed));
    v1::ExplainedDecision message;
    ToMessage(decision, message);
    return message;
  }

  Result<v1::WhyNotReply> AskWhyNot(const v1::WhyNotRequest& request) override {
    return AnswerWhyNot(fleet(), request);
  }

 private:
  const Inventory& fleet() const { return reader_->inventory(); }

  template <typename Message, typename Pointers>
  static ListOf<Message> ToMessages(const Pointers& records, std::size_t most) {
    ListOf<Message> listed;
    listed.more = records.size() > most;
    for (std::size_t i = 0; i < std::min(most, records.size()); ++i) {
      ToMessage(*records[i], listed.items.emplace_back());
    }
    return listed;
  }

  std::unique_ptr<StoreReader> reader_;
};

}  // namespace

std::unique_ptr<FleetReader> NewStoreFleet(std::unique_ptr<StoreReader> reader) {
  return std::make_unique<StoreFleet>(std::move(reader));
}

}  // namespace berth
