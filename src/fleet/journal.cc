#include "fleet/journal.h"

namespace berth {

void Journal::Touch(MachineIndex machine) {
  const auto at = static_cast<std::uint32_t>(machine);
  if (at >= links_.size()) links_.resize(std::size_t{at} + 1);
  if (links_[at].position != 0) Unlink(at);
  links_[at] = {.position = ++position_, .older = latest_, .newer = kNone};
  if (latest_ != kNone) links_[latest_].newer = at;
  latest_ = at;
}

void Journal::Unlink(std::uint32_t at) {
  const Link link = links_[at];
  if (link.newer != kNone) links_[link.newer].older = link.older;
  if (link.older != kNone) links_[link.older].newer = link.newer;
  if (latest_ == at) latest_ = link.older;
}

}  // namespace berth
