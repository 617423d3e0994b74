#include "apptopo/attachment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "berth/check.h"

namespace berth {

Result<AttachmentSet> FindAttachmentSet(std::string_view letter_or_name) {
  std::string known;
  for (const AttachmentSet& set : kAttachmentSets) {
    if (set.letter == letter_or_name || set.name == letter_or_name) return set;
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", set.letter, set.name);
  }
  return Status(Code::kInvalidArgument,
                fmt::format("there is no set {}; the sets are {}", Quoted(letter_or_name), known));
}

ServiceGraph AttachServices(const AttachmentSet& set, std::size_t services, CallDirection direction,
                            Rng rng) {
  BERTH_CHECK(services >= 1 && services <= kTopologyServicesMax);
  ServiceGraphBuilder builder;
  std::vector<std::size_t> callers;
  std::vector<double> weights;
  callers.reserve(services);
  weights.reserve(services);
  for (std::size_t i = 0; i < services; ++i) {
    const Result<ServiceVertex> added = builder.Service(fmt::format("service-{}", i + 1));
    BERTH_CHECK(added.ok());
    if (i > 0) {
      const std::size_t chosen = rng.Weighted(weights);
      const auto older = static_cast<ServiceVertex>(chosen);
      const bool as_drawn = direction == CallDirection::kToOlder;
      const Status called =
          as_drawn ? builder.Call(added.value(), older) : builder.Call(older, added.value());
      BERTH_CHECK(called.ok());
      weights[chosen] = std::pow(static_cast<double>(++callers[chosen]), set.power) + set.appeal;
    }
    callers.push_back(0);
    weights.push_back(set.appeal);  // 0^alpha is 0.
  }
  return std::move(builder).Build();
}

}  // namespace berth
