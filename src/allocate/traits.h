// What an ask is like, leaving out whose it is. Asks alike in their traits get the same answers
// from every rule that reads no more than these, so those answers are kept and shared.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "berth/records.h"
#include "fleet/settings.h"

namespace berth {

enum class Trait : std::uint8_t {
  kNeeds,  // Of machines: the type's SKUs and labels, and the service's labels.
  kRole,
  kClass,
  kLimit,
  kType,   // Its name, which says what past instances of it took.
  kEpoch,  // Of the outlook: whoever reads the one reads the other, and what it knows of the one.
};

class TraitSet {
 public:
  constexpr TraitSet() = default;
  constexpr TraitSet(std::initializer_list<Trait> traits) {
    for (const Trait trait : traits) bits_ |= Bit(trait);
  }
  constexpr bool Has(Trait trait) const { return (bits_ & Bit(trait)) != 0; }
  constexpr TraitSet& operator|=(TraitSet other) {
    bits_ |= other.bits_;
    return *this;
  }
  friend constexpr bool operator==(TraitSet, TraitSet) = default;

 private:
  static constexpr std::uint32_t Bit(Trait trait) { return 1U << static_cast<unsigned>(trait); }
  std::uint32_t bits_ = 0;
};

struct Traits {
  const InstanceType& type;
  RoleId role;
  const ServiceClass& klass;
  Resources limit;
  const Labels& labels;     // That the service requires of its machines.
  std::uint64_t epoch = 0;  // Of the outlook; 0 without one.
  // What the outlook knows of it (Outlook::KnownAs); 0: a newcomer.
  std::uint64_t known_as = 0;
};

// The same number for all traits that agree in the set.
std::uint64_t HashOf(const Traits& traits, TraitSet set);
bool AgreeIn(TraitSet set, const Traits& a, const Traits& b);

// Traits that outlive the ask they were seen in.
class KeptTraits {
 public:
  explicit KeptTraits(const Traits& traits)
      : type_(traits.type),
        role_(traits.role),
        klass_(traits.klass),
        limit_(traits.limit),
        labels_(traits.labels),
        epoch_(traits.epoch),
        known_as_(traits.known_as) {}
  Traits get() const {
    return {.type = type_,
            .role = role_,
            .klass = klass_,
            .limit = limit_,
            .labels = labels_,
            .epoch = epoch_,
            .known_as = known_as_};
  }
  std::uint64_t epoch() const { return epoch_; }

 private:
  InstanceType type_;
  RoleId role_;
  ServiceClass klass_;
  Resources limit_;
  Labels labels_;
  std::uint64_t epoch_;
  std::uint64_t known_as_;
};

}  // namespace berth
