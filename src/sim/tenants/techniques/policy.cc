#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "allocate/evaluator.h"
#include "allocate/foresee.h"
#include "allocate/scratch.h"
#include "base/document.h"
#include "oversub/fleet_outlook.h"
#include "oversub/tenant_amounts.h"
#include "sim/tenants/cluster.h"
#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/tenant_population.h"

namespace berth {
namespace {

constexpr std::string_view kOwner = "tenants";

Time TimeOf(Step step) { return Time(step * kStepLength); }

// A policy's rules, evaluated by what an agent of `berth serve` evaluates them by, on a fleet that
// is the cluster: a machine a node, in its fault domain's rack, a service a tenant with the limit
// of its class, and what each is reported to take. Of equally good machines the first is taken.
class PolicyTechnique final : public Technique {
 public:
  explicit PolicyTechnique(const TechniqueContext& context)
      : cluster_(context.cluster),
        document_(ParseDocument(context.policy, "policy").value()),
        policy_(ParseAllocatePolicy(document_.root()).value()),
        observed_(std::make_shared<ObservedUsage>()),
        // It outlives this: nothing is to be deleted.
        outlook_(std::shared_ptr<const TraceLibrary>(std::shared_ptr<void>(), &context.library),
                 observed_, ParseOversubPolicy(document_.root()).value()),
        evaluator_(policy_, LooksAhead(policy_) ? &outlook_ : nullptr) {
    Put(PolicyText{std::string(context.policy)});
    Put(Tenant{.name = TenantId(kOwner), .quota = {}});
    for (const TenantKind& kind : context.kinds) AddType(kind);
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) AddNode(node);
  }

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    Follow();
    const Service service = ServiceOf(tenant);
    Instance instance = InstanceOf(tenant);
    instance.machine = MachineId();
    instance.state = InstanceState::kPending;
    Scratch scratch(view_);
    if (tenant.node != kNoNode) scratch.Install(instance);
    Footprint footprint;
    for (const ClusterTenant& other : cluster_.ReplicasOf(tenant)) {
      if (other.number == tenant.number || other.node == kNoNode) continue;
      footprint.Add(view_[machines_[other.node]], machines_[other.node]);
    }
    Ask ask = AskFor(view_, service, instance, footprint, outlook());
    if (tenant.node != kNoNode) ask.leaving = machines_[tenant.node];
    const Chooser::Found found = evaluator_.Find(ask, evaluator_.Order(ask));
    if (found.best == 0) return kNoNode;
    for (const MachineIndex machine : evaluator_.Top(ask, cluster_.node_count())) {
      const NodeIndex node = nodes_.at(machine);
      if (std::ranges::binary_search(fits, node)) return node;
    }
    return kNoNode;
  }

  void Advance(Step now) override {
    now_ = now;
    reported_ = false;
    evaluator_.SetTime(TimeOf(now));
  }
  void Placed(const ClusterTenant& tenant) override {
    Put(ServiceOf(tenant));
    Put(InstanceOf(tenant));
  }
  void Left(const ClusterTenant& tenant, NodeIndex /*from*/) override {
    const bool all = std::ranges::all_of(cluster_.ReplicasOf(tenant),
                                         [](const auto& other) { return other.node == kNoNode; });
    view_.Install(
        {.key = all ? KeyOf(Record(ServiceOf(tenant))) : KeyOf(Record(InstanceOf(tenant))),
         .record = std::nullopt,
         .revision = Next()});
  }
  // It may be less again when it is next reported.
  void Exceeded(const ClusterTenant& tenant) override {
    if (outlook() == nullptr || tenant.hosted.creation == now_) return;  // Nothing was seen of it.
    outlook_.Observe(InstanceOf(tenant), ToResources(tenant.hosted.observed_peak), TimeOf(now_));
  }

 private:
  Outlook* outlook() { return LooksAhead(policy_) ? &outlook_ : nullptr; }
  Revision Next() { return Revision{++revision_}; }
  void Put(const Record& record) {
    view_.Install({.key = KeyOf(record), .record = record, .revision = Next()});
  }

  void AddType(const TenantKind& kind) {
    InstanceType type;
    type.name = TypeId(kind.name);
    type.size = ToResources(kind.limit);
    Put(type);
    types_.push_back(type);
  }
  void AddNode(NodeIndex node) {
    Machine machine;
    machine.name = MachineId(fmt::format("n{:04}", node));
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("w");
    machine.rack = RackId(fmt::format("r{:04}", cluster_.domains().FaultOf(node)));
    if (cluster_.domains().any()) {
      machine.update_domain = DomainId(fmt::format("u{:04}", cluster_.domains().UpdateOf(node)));
    }
    machine.sku = SkuId("k");
    machine.capacity = ToResources(cluster_.capacity());
    Put(machine);
    machines_.push_back(*view_.IndexOf(machine.name));
    nodes_.emplace(machines_.back(), node);
  }

  const InstanceType& TypeOf(const ClusterTenant& tenant) const {
    return types_[static_cast<std::size_t>(tenant.hosted.tenant_class)];
  }
  std::string NameOf(const ClusterTenant& tenant) const {
    return fmt::format("t{:016x}", cluster_.tenant(tenant.first).hosted.key);
  }
  Service ServiceOf(const ClusterTenant& tenant) const {
    Service service;
    service.name = NameOf(tenant);
    service.tenant = TenantId(kOwner);
    service.klass = view_.settings().classes.front().name;
    const std::span<const ClusterTenant> replicas = cluster_.ReplicasOf(tenant);
    const auto others = static_cast<std::uint32_t>(replicas.size() - 1);
    service.groups = {{TypeOf(tenant).name, RoleOf(replicas.front()), 1}};
    if (others > 0) {
      service.groups.push_back({TypeOf(tenant).name, RoleOf(replicas.back()), others});
    }
    if (!cluster_.domains().any()) return service;
    service.constraints.max_per_machine = 1;
    service.constraints.max_per_rack = 1;
    service.constraints.max_per_update_domain = 1;
    return service;
  }
  Instance InstanceOf(const ClusterTenant& tenant) const {
    Instance instance;
    instance.id = {NameOf(tenant), tenant.number - tenant.first};
    instance.type = TypeOf(tenant).name;
    instance.role = RoleOf(tenant);
    instance.limit = TypeOf(tenant).size;
    instance.timeline.created = TimeOf(tenant.hosted.creation);
    if (tenant.node == kNoNode) return instance;
    instance.machine = view_[machines_[tenant.node]].record.name;
    instance.state = InstanceState::kRunning;
    return instance;
  }
  static RoleId RoleOf(const ClusterTenant& tenant) {
    return tenant.hosted.role == TenantRole::kSecondary ? RoleId("secondary") : RoleId();
  }

  // Reports of a step are there when it is first asked in it.
  void Follow() {
    if (outlook() == nullptr) return;
    if (!std::exchange(reported_, true)) ReportAll();
    outlook_.Follow(view_, TimeOf(now_), Duration());
  }
  void ReportAll() {
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
      for (const TenantNumber number : cluster_.tenants(node)) {
        const ClusterTenant& tenant = cluster_.tenant(number);
        if (tenant.hosted.creation == now_) continue;  // Nothing was seen of it.
        outlook_.Observe(InstanceOf(tenant), ToResources(tenant.reported), TimeOf(now_));
      }
    }
  }

  const TenantCluster& cluster_;
  const Document document_;
  const AllocatePolicy policy_;
  const std::shared_ptr<ObservedUsage> observed_;
  FleetOutlook outlook_;
  Inventory view_;
  Evaluator evaluator_;
  std::vector<InstanceType> types_;  // By class.
  std::vector<MachineIndex> machines_;
  std::unordered_map<MachineIndex, NodeIndex> nodes_;
  std::uint64_t revision_ = 0;
  Step now_ = 0;
  bool reported_ = false;
};

}  // namespace

std::unique_ptr<Technique> NewPolicyTechnique(const TechniqueContext& context) {
  return std::make_unique<PolicyTechnique>(context);
}

}  // namespace berth
