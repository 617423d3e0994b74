#include "fleet/journal.h"

namespace berth {

void Recency::Touch(std::uint32_t at, std::uint64_t position, std::uint32_t& latest) {
  if (at >= links_.size()) links_.resize(std::size_t{at} + 1);
  Remove(at, latest);
  links_[at] = {.position = position, .older = latest, .newer = kNone};
  if (latest != kNone) links_[latest].newer = at;
  latest = at;
}

void Recency::Remove(std::uint32_t at, std::uint32_t& latest) {
  if (at >= links_.size() || links_[at].position == 0) return;
  const Link link = links_[at];
  if (link.newer != kNone) links_[link.newer].older = link.older;
  if (link.older != kNone) links_[link.older].newer = link.newer;
  if (latest == at) latest = link.older;
  links_[at] = {};
}

Journal::Latest& Journal::Changed(ClusterIndex cluster) {
  if (At(cluster) >= latest_in_.size()) latest_in_.resize(At(cluster) + 1);
  Latest& latest = latest_in_[At(cluster)];
  latest.position = ++position_;
  clusters_.Touch(static_cast<std::uint32_t>(cluster), position_, latest_cluster_);
  return latest;
}

void Journal::Touch(MachineIndex machine, ClusterIndex cluster) {
  Latest& latest = Changed(cluster);
  machines_.Touch(static_cast<std::uint32_t>(machine), position_, latest.machine);
}

void Journal::Leave(MachineIndex machine, ClusterIndex cluster) {
  machines_.Remove(static_cast<std::uint32_t>(machine), Changed(cluster).machine);
}

}  // namespace berth
