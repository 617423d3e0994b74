#include "appsim/multiverse/node_group.h"

#include <algorithm>

namespace berth::multiverse {
namespace {

std::uint32_t Changed(std::uint32_t count, std::int64_t change) {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(0, count + change));
}

}  // namespace

NodeGroup::NodeGroup(const SimulationSet& set, std::size_t node_type, const Quirks& quirks)
    : set_(&set),
      quirks_(&quirks),
      node_type_(node_type),
      types_(set.application.requests.size()),
      instances_(set.application.services.size(), 0),
      planned_instances_(set.application.services.size(), 0),
      in_work_(set.application.services.size() * types_) {}

void NodeGroup::RemoveInstances(std::size_t service, std::uint32_t count) {
  instances_[service] -= std::min(count, instances_[service]);
}

void NodeGroup::PlanNodes(std::int64_t change) { planned_nodes_ = Changed(planned_nodes_, change); }

void NodeGroup::PlanInstances(std::size_t service, std::int64_t change) {
  planned_instances_[service] = Changed(planned_instances_[service], change);
}

void NodeGroup::ForgetPlans() {
  planned_nodes_ = nodes_;
  planned_instances_ = instances_;
}

NodeGroup NodeGroup::AsPlanned() const {
  NodeGroup group = *this;
  if (nodes_ == 0) return group;
  group.nodes_ = planned_nodes_;
  group.instances_ = planned_instances_;
  return group;
}

Amounts NodeGroup::IdleUse(Rng& rng) const {
  Amounts use{};
  const bool redrawn = quirks_->Has(Quirk::kUseRedrawn);
  for (std::size_t s = 0; s < instances_.size(); ++s) {
    if (instances_[s] == 0) continue;
    const VaryingAmounts& idle = set_->application.services[s].idle;
    for (std::size_t i = 0; i < kAmountCount; ++i) {
      if (!redrawn || idle[i].deviation == 0) {
        use[i] += instances_[s] * (redrawn ? idle[i].mean : MeanOfDraws(idle[i]));
        continue;
      }
      for (std::uint32_t n = 0; n < instances_[s]; ++n) use[i] += Draw(idle[i], rng);
    }
  }
  const Amounts& capacity = set_->node_types[node_type_].capacity;
  if (!quirks_->Has(Quirk::kOverfullLooksIdle)) return use;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    if (use[i] > nodes_ * capacity[i]) use[i] = capacity[i];
  }
  return use;
}

Amounts NodeGroup::WorkUse(std::size_t service) const {
  Amounts use{};
  for (std::size_t type = 0; type < types_; ++type) {
    const InWork& work = in_work_[service * types_ + type];
    if (work.count == 0) continue;
    if (quirks_->Has(Quirk::kLatestNeedForAll)) {
      AddTo(use, work.latest, work.count);
    } else {
      AddTo(use, work.sum);
    }
  }
  return use;
}

Amounts NodeGroup::AllWorkUse() const {
  Amounts use{};
  if (working_.empty()) return use;
  for (std::size_t s = 0; s < instances_.size(); ++s) AddTo(use, WorkUse(s));
  return use;
}

bool NodeGroup::IsFull(const Amounts& use) const {
  const Amounts& capacity = set_->node_types[node_type_].capacity;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    if (use[i] >= nodes_ * capacity[i]) return true;
  }
  return false;
}

bool NodeGroup::IsFull(Rng& rng) const {
  Amounts use = IdleUse(rng);
  AddTo(use, AllWorkUse());
  return IsFull(use);
}

double NodeGroup::Share(const Amounts& use, std::size_t resource) const {
  const double capacity = nodes_ * set_->node_types[node_type_].capacity[resource];
  return capacity == 0 ? 0 : use[resource] / capacity;
}

double NodeGroup::Fraction(const Amounts& use) const {
  double sum = 0;
  for (std::size_t i = 0; i < kAmountCount; ++i) sum += Share(use, i);
  return sum / static_cast<double>(kAmountCount);
}

bool NodeGroup::CanTake(const Item& item, Rng& rng) const {
  if (instances_[item.service] <= WorkUse(item.service)[kVcpu]) return false;
  Amounts use = IdleUse(rng);
  AddTo(use, AllWorkUse());
  AddTo(use, item.need);
  return !IsFull(use);
}

void NodeGroup::Start(ItemIndex index, const ItemPool& pool) {
  const Item& item = pool[index];
  InWork& work = Of(item);
  ++work.count;
  work.latest = item.need;
  AddTo(work.sum, item.need);
  working_.push_back(index);
}

void NodeGroup::Finish(ItemIndex index, const ItemPool& pool) {
  const Item& item = pool[index];
  InWork& work = Of(item);
  --work.count;
  AddTo(work.sum, item.need, -1);
  if (work.count == 0) work.sum = {};
  done_.push_back(index);
}

std::int64_t NodeGroup::Advance(ItemPool& pool, std::int64_t budget) {
  if (budget <= 0 || working_.empty()) return budget;
  const bool stops = quirks_->Has(Quirk::kZeroTimeEndsStep) &&
                     std::any_of(working_.begin(), working_.end(),
                                 [&](ItemIndex index) { return pool[index].left == 0; });
  const std::int64_t worked = stops ? 0 : budget;
  std::int64_t longest = 0;
  std::erase_if(working_, [&](ItemIndex index) {
    Item& item = pool[index];
    const std::int64_t share = std::min(item.left, worked);
    item.left -= share;
    item.accumulated += share;
    longest = std::max(longest, item.left > 0 ? worked : share);
    if (item.left > 0) return false;
    Finish(index, pool);
    return true;
  });
  return budget - longest;
}

void NodeGroup::TakeDone(std::vector<ItemIndex>& into) {
  into.insert(into.end(), done_.begin(), done_.end());
  done_.clear();
}

std::uint64_t NodeGroup::Clear(ItemPool& pool) {
  for (const ItemIndex index : working_) pool.Free(index);
  for (const ItemIndex index : done_) pool.Free(index);
  const std::uint64_t count = working_.size() + done_.size();
  working_.clear();
  done_.clear();
  std::fill(in_work_.begin(), in_work_.end(), InWork{});
  return count;
}

}  // namespace berth::multiverse
