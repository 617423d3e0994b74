#include "sim/qos/host_attributes.h"

#include <algorithm>

namespace berth {

std::uint32_t HostAttributes::WordFor(const QosAttributes& constraints) {
  if (constraints.empty()) return 0;
  const auto [at, added] =
      words_.try_emplace(constraints, static_cast<std::uint32_t>(allowed_.size() + 1));
  if (added) {
    std::vector<bool>& allowed = allowed_.emplace_back();
    for (const QosHost& host : hosts_)
      allowed.push_back(std::ranges::includes(host.attributes, constraints));
  }
  return at->second;
}

}  // namespace berth
