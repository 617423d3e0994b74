// A rule's answers for every machine of a cluster, to asks alike in the traits that it reads. One
// is shared by all evaluations that need just these answers.
#pragma once

#include <cstdint>
#include <vector>

#include "allocate/cache/cluster_facts.h"
#include "allocate/policy.h"

namespace berth {

// Asks for nobody: what a rule that goes by traits gets to see when no request is at hand.
class TraitsAsk {
 public:
  TraitsAsk(const Inventory& inventory, const Traits& traits)
      : ask_{.inventory = inventory,
             .traits = traits,
             .service = service_,
             .tenant = TenantIndex{},
             .footprint = footprint_} {}
  const Ask& get() const { return ask_; }

 private:
  Service service_;
  Footprint footprint_;
  Ask ask_;
};

class RuleObject {
 public:
  // Of a validator, or of a preference of machines or racks.
  RuleObject(const Validator& validator, const Traits& traits)
      : validator_(&validator), traits_(traits) {}
  RuleObject(const RankedPreference& preference, const Traits& traits)
      : preference_(&preference), traits_(traits) {}

  // Brings it up to date; how many machines that took. The facts are up to date.
  std::uint32_t Update(const Inventory& inventory, const ClusterFacts& facts);

  // Of a validator, by position; 0: valid.
  const std::uint8_t* refuses() const { return refuses_.data(); }
  // Of a preference: its part of the key, by position or, if it is of racks, by cell.
  std::uint64_t part(std::uint32_t at) const {
    return std::uint64_t{values_[at]} << preference_->place.shift;
  }
  const std::uint32_t* values() const { return values_.data(); }
  int shift() const { return preference_->place.shift; }

  std::uint64_t used = 0;  // The number of the request that asked for it last,
  Time used_at;            // and when that was.
  std::size_t bytes() const { return refuses_.capacity() + values_.capacity() * 4; }

 private:
  void Look(const Ask& ask, const ClusterFacts& facts, std::uint32_t position);

  const Validator* validator_ = nullptr;
  const RankedPreference* preference_ = nullptr;
  KeptTraits traits_;
  std::uint64_t shape_ = 0;
  std::uint64_t journal_position_ = 0;
  std::vector<std::uint8_t> refuses_;
  std::vector<std::uint32_t> values_;
};

}  // namespace berth
