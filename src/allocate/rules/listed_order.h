// Names in the order in which a rule's options list them, the best first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "allocate/points.h"
#include "base/fields.h"

namespace berth {

template <typename Id>
class ListedOrder {
 public:
  explicit ListedOrder(Fields& options) {
    for (const Node& item : options.OptionalItems("order")) {
      const Result<std::string_view> name = item.Name();
      options.Check(name.status());
      if (name.ok()) names_.emplace_back(name.value());
    }
  }

  // Evenly apart; those that are not listed come last and are alike.
  std::uint32_t Points(Id name) const {
    const auto place = std::ranges::find(names_, name) - names_.begin();
    return names_.empty() ? 0 : ShareInPoints(place, std::ssize(names_));
  }

 private:
  std::vector<Id> names_;
};

}  // namespace berth
