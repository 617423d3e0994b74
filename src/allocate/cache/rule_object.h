// What the rules that read the same traits say of every machine of a cluster, to asks alike in
// these. One is shared by all evaluations that need just these answers: what rules say that read
// nothing of the ask is worked out once for all asks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "allocate/cache/cluster_facts.h"
#include "allocate/cache/key_column.h"
#include "allocate/policy.h"

namespace berth {

// Asks for nobody: what a rule that goes by traits gets to see when no request is at hand.
Ask AskForNobody(const Inventory& inventory, const Traits& traits, const Outlook* outlook);

// The rules of a policy that are kept and read the same traits.
struct RuleGroup {
  struct Numbered {
    const Validator* rule;
    std::uint8_t number;  // Among the policy's validators.
  };

  TraitSet reads;
  int key_bits = 0;  // Of the policy's keys.
  std::vector<Numbered> validators;
  std::vector<const RankedPreference*> preferences;       // Of machines,
  std::vector<const RankedPreference*> rack_preferences;  // and of racks.
};
std::vector<RuleGroup> GroupRules(const AllocatePolicy& policy);

class RuleObject {
 public:
  static constexpr std::uint8_t kNobody = UINT8_MAX;

  RuleObject(const RuleGroup& group, const Traits& traits, const Outlook* outlook)
      : group_(group), traits_(traits), outlook_(outlook), parts_(group.key_bits) {}

  // Brings it up to date; how many machines that took. The facts are up to date.
  std::uint32_t Update(const Inventory& inventory, const ClusterFacts& facts);

  // By position: the number of the first validator that refuses it, or kNobody; empty: there are
  // none. The preferences' part of the key of those that are not refused; empty likewise.
  std::span<const std::uint8_t> refused_by() const { return refused_by_; }
  const KeyColumn& parts() const { return parts_; }
  // Above 0: the part is the least it may be. The first preference whose points are not known just
  // so has its place in the key at this, less one.
  std::uint8_t vague_from(std::uint32_t position) const {
    return vague_from_.empty() ? std::uint8_t{0} : vague_from_[position];
  }
  // Works out what is vague of a machine. It and the facts are up to date.
  void MakeCertain(const Inventory& inventory, const ClusterFacts& facts, std::uint32_t position);
  // By cell; empty likewise.
  std::span<const std::uint64_t> rack_parts() const { return rack_parts_; }

  const RuleGroup& group() const { return group_; }
  std::uint64_t used = 0;  // The number of the request that asked for it last,
  Time used_at;            // and when that was.
  std::size_t bytes() const {
    return refused_by_.capacity() + parts_.bytes() + vague_from_.capacity() +
           rack_parts_.capacity() * 8;
  }

 private:
  void Look(const Ask& ask, const ClusterFacts& facts, std::uint32_t position);
  void LookAtRack(const Ask& ask, const ClusterFacts& facts, std::uint32_t cell);

  const RuleGroup& group_;
  KeptTraits traits_;
  const Outlook* outlook_;
  std::uint64_t shape_ = 0;
  std::uint64_t journal_position_ = 0;
  std::vector<std::uint8_t> refused_by_;
  KeyColumn parts_;
  std::vector<std::uint8_t> vague_from_;  // By position; empty: nothing was vague yet.
  std::vector<std::uint64_t> rack_parts_;
};

}  // namespace berth
