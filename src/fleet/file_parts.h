// What the fleet, service and policy files have in common: how resources, labels and shares are
// written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/document.h"
#include "base/fields.h"
#include "berth/records.h"

namespace berth {

// cpu, memory, disk, network and gpu as fields of a larger map; what is not named is `otherwise`.
Resources ReadResources(Fields& fields, const Resources& otherwise);

// "labels: {ssd: yes}", sorted by name.
Result<Labels> ReadLabels(Fields& fields, std::string_view key);

// "150%" or "1.5" in so many parts of the whole (100: percent, 1,000,000: millionths), exactly.
struct ShareRange {
  std::int64_t whole = 100;
  std::int64_t min = 0;
  std::int64_t max = 100;
};
Result<std::int64_t> ReadShare(const Node& node, ShareRange range);

// Keeps where each name was first used, to refuse the second use.
class FirstUses {
 public:
  // `what` is a "cluster" or the like.
  Status Add(const Node& node, std::string_view what, std::string_view name);

 private:
  std::map<std::string, std::size_t, std::less<>> lines_;
};

// "a, b and 3 more": for messages that name what is known.
template <typename Items, typename NameOf>
std::string ListNames(const Items& items, NameOf name_of) {
  constexpr std::size_t kShownMax = 8;
  std::string text;
  std::size_t shown = 0;
  for (const auto& item : items) {
    if (shown == kShownMax) break;
    text += (shown++ == 0 ? "" : ", ") + std::string(name_of(item));
  }
  if (items.size() > shown) text += " and " + std::to_string(items.size() - shown) + " more";
  return text.empty() ? "none" : text;
}

}  // namespace berth
