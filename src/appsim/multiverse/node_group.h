// A group of nodes of one type, taken as one pool: what its instances and the requests in work use,
// whether one more fits, and how work goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "appsim/multiverse/items.h"
#include "appsim/multiverse/quirks.h"
#include "appsim/multiverse/set.h"

namespace berth::multiverse {

// Of one service and request type on a group.
struct InWork {
  std::uint32_t count = 0;
  Amounts latest{};  // The need of the one admitted last.
  Amounts sum{};
};

class NodeGroup {
 public:
  NodeGroup(const SimulationSet& set, std::size_t node_type, const Quirks& quirks);

  std::size_t node_type() const { return node_type_; }
  std::uint32_t nodes() const { return nodes_; }
  void AddNodes(std::uint32_t count) { nodes_ += count; }
  void RemoveNodes(std::uint32_t count) { nodes_ -= count < nodes_ ? count : nodes_; }
  std::uint32_t instances(std::size_t service) const { return instances_[service]; }
  void AddInstances(std::size_t service, std::uint32_t count) { instances_[service] += count; }
  void RemoveInstances(std::size_t service, std::uint32_t count);
  // The services that it has, or had, instances of, and the first of them.
  void Host(std::size_t service) { first_host_ = service < first_host_ ? service : first_host_; }
  std::size_t FirstHost() const { return first_host_; }
  bool leaving = false;  // Takes no new work, and is gone when its nodes are.

  // What there will be once all that was ordered for it has happened. Nothing goes twice.
  std::uint32_t planned_nodes() const { return planned_nodes_; }
  std::uint32_t planned_instances(std::size_t service) const { return planned_instances_[service]; }
  void PlanNodes(std::int64_t change);
  void PlanInstances(std::size_t service, std::int64_t change);
  // As if nothing had been ordered that is not there yet.
  void ForgetPlans();
  // The group without what is to go and with what is to start; as it is while it has no nodes.
  NodeGroup AsPlanned() const;

  // What all instances use at this moment.
  Amounts IdleUse(Rng& rng) const;
  Amounts WorkUse(std::size_t service) const;
  // Whether any resource is used up.
  bool IsFull(const Amounts& use) const;
  bool IsFull(Rng& rng) const;
  // Use over capacity, the mean over the resources.
  double Fraction(const Amounts& use) const;
  double Share(const Amounts& use, std::size_t resource) const;

  bool CanTake(const Item& item, Rng& rng) const;
  void Start(ItemIndex index, const ItemPool& pool);
  // Works for so long; the time that was left when all was done.
  std::int64_t Advance(ItemPool& pool, std::int64_t budget);
  // Done since the last call.
  void TakeDone(std::vector<ItemIndex>& into);
  // Frees all that is in work or done; how many.
  std::uint64_t Clear(ItemPool& pool);

 private:
  Amounts AllWorkUse() const;
  InWork& Of(const Item& item) { return in_work_[item.service * types_ + item.request]; }
  void Finish(ItemIndex index, const ItemPool& pool);

  const SimulationSet* set_;
  const Quirks* quirks_;
  std::size_t node_type_;
  std::size_t types_;
  std::uint32_t nodes_ = 0;
  std::size_t first_host_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> instances_;  // By service.
  std::uint32_t planned_nodes_ = 0;
  std::vector<std::uint32_t> planned_instances_;  // By service.
  std::vector<InWork> in_work_;                   // By service and request type.
  std::vector<ItemIndex> working_;
  std::vector<ItemIndex> done_;
};

}  // namespace berth::multiverse
