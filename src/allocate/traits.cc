#include "allocate/traits.h"

namespace berth {
namespace {

void Mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  hash ^= hash >> 32;
}

}  // namespace

std::uint64_t HashOf(const Traits& traits, TraitSet set) {
  std::uint64_t hash = 1;
  if (set.Has(Trait::kNeeds)) {
    for (const SkuId sku : traits.type.skus) Mix(hash, sku.Hash());
    for (const Labels* labels : {&traits.type.requires_labels, &traits.labels}) {
      Mix(hash, labels->size());
      for (const auto& [name, value] : *labels) {
        Mix(hash, name.Hash());
        Mix(hash, value.Hash());
      }
    }
  }
  if (set.Has(Trait::kRole)) Mix(hash, traits.role.Hash());
  if (set.Has(Trait::kClass)) Mix(hash, traits.klass.name.Hash());
  if (set.Has(Trait::kLimit)) {
    for (const Resource r : kAllResources) Mix(hash, static_cast<std::uint64_t>(traits.limit[r]));
  }
  if (set.Has(Trait::kType)) Mix(hash, traits.type.name.Hash());
  if (set.Has(Trait::kEpoch)) {
    Mix(hash, traits.epoch);
    if (traits.known_as != 0) Mix(hash, traits.known_as);
  }
  return hash;
}

bool AgreeIn(TraitSet set, const Traits& a, const Traits& b) {
  const bool same_needs =
      !set.Has(Trait::kNeeds) ||
      (a.type.skus == b.type.skus && a.type.requires_labels == b.type.requires_labels &&
       a.labels == b.labels);
  return same_needs && (!set.Has(Trait::kRole) || a.role == b.role) &&
         (!set.Has(Trait::kClass) || a.klass == b.klass) &&
         (!set.Has(Trait::kLimit) || a.limit == b.limit) &&
         (!set.Has(Trait::kType) || a.type.name == b.type.name) &&
         (!set.Has(Trait::kEpoch) || (a.epoch == b.epoch && a.known_as == b.known_as));
}

}  // namespace berth
