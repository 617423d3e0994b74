#include "allocate/points.h"
#include "allocate/rules/builtin.h"

namespace berth {
namespace {

// FNV-1a: the same in every process, which the agents of a zone must agree in.
constexpr std::uint64_t kOffset = 0xcbf29ce484222325ULL;
constexpr std::uint64_t kPrime = 0x100000001b3ULL;

std::uint64_t Mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

// Where nothing else tells clusters apart, asks of one size look at the same few of them time after
// time, each size at its own: agents then keep evaluations of a few clusters a size instead of all,
// and a change in a cluster concerns few sizes.
class UsualClustersFirst final : public ClusterPreference {
 public:
  std::string_view name() const override { return "usual_clusters_first"; }
  std::string_view summary() const override {
    return "the same clusters for asks of the same size, each size its own";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  std::uint32_t Points(const Ask& ask, const ClusterState& cluster) const override {
    std::uint64_t hash = Mix(Mix(kOffset, cluster.datacenter.str()), cluster.name.str());
    for (const Resource r : kAllResources) {
      hash = (hash ^ static_cast<std::uint64_t>(ask.traits.limit[r])) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 32;
    }
    return static_cast<std::uint32_t>(hash % (kPointsMax + 1));
  }
};

}  // namespace

std::unique_ptr<Rule> NewUsualClustersFirst(Fields& /*options*/) {
  return std::make_unique<UsualClustersFirst>();
}

}  // namespace berth
