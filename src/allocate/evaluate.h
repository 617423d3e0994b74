// Which machines are best for an ask, worked out from scratch over the whole fleet.
//
// This is the reference: slow and obvious. Whatever answers faster must answer the same.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "allocate/chooser.h"

namespace berth {

struct Ranked {
  MachineIndex index;
  std::uint64_t key;
};

struct Evaluation {
  std::vector<Ranked> valid;       // Of those that were looked at.
  std::vector<MachineIndex> best;  // Of them, in the order of ids. Empty: none is valid.
  Funnel funnel;
};

std::vector<ClusterIndex> OrderClusters(const AllocatePolicy& policy, const Ask& ask);

Evaluation EvaluateFromScratch(const AllocatePolicy& policy, const Ask& ask,
                               std::span<const ClusterIndex> order);

// The first so many of them by key, in the order of ids where equal; all of the best if more.
std::vector<MachineIndex> TopOf(std::span<const Ranked> in_id_order, std::uint32_t most);

class FromScratch final : public Chooser {
 public:
  explicit FromScratch(const AllocatePolicy& policy) : policy_(policy) {}

  std::span<const ClusterIndex> Order(const Ask& ask) override {
    return order_ = OrderClusters(policy_, ask);
  }
  Found Find(const Ask& ask, std::span<const ClusterIndex> order) override;
  MachineIndex Best(const Ask& ask, std::uint32_t n) override;
  std::vector<MachineIndex> Top(const Ask& ask, std::uint32_t most) override;

 private:
  const AllocatePolicy& policy_;
  std::vector<ClusterIndex> order_;
  Evaluation found_;
};

}  // namespace berth
