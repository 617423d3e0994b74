#include "rightsize/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

constexpr std::size_t kNamedMax = 3;

template <typename IsLike>
std::vector<KnownSize> Those(std::span<const KnownSize> known, IsLike is_like) {
  std::vector<KnownSize> those;
  for (const KnownSize& each : known) {
    if (is_like(each)) those.push_back(each);
  }
  std::ranges::sort(those, {}, &KnownSize::service);
  return those;
}

std::string NamesOf(const std::vector<KnownSize>& those) {
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamedMax, those.size()); ++i) {
    names += fmt::format("{}{}", i == 0 ? "" : ", ", those[i].service);
  }
  if (those.size() > kNamedMax) names += fmt::format(" and {} more", those.size() - kNamedMax);
  return names;
}

// Of an even number the greater of the two in the middle: too much costs less than too little.
FirstSize Median(Resource resource, const std::vector<KnownSize>& those, std::string_view of) {
  std::vector<std::int64_t> targets;
  targets.reserve(those.size());
  for (const KnownSize& each : those) targets.push_back(each.target);
  std::ranges::sort(targets);
  const std::int64_t target = targets[targets.size() / 2];
  return {.target = target,
          .why = fmt::format("{}: median of {} of {}: {}", FormatSize(resource, target),
                             Plural(those.size(), "service"), of, NamesOf(those))};
}

}  // namespace

std::optional<FirstSize> SizeLikeOthers(Resource resource, const UnknownService& service,
                                        std::span<const KnownSize> known) {
  if (!service.type.empty()) {
    const auto same_type = [&](const KnownSize& each) { return each.type == service.type; };
    const auto same_both = [&](const KnownSize& each) {
      return same_type(each) && !service.tenant.empty() && each.tenant == service.tenant;
    };
    if (const auto those = Those(known, same_both); !those.empty()) {
      return Median(resource, those,
                    fmt::format("type {} and tenant {}", service.type, service.tenant));
    }
    if (const auto those = Those(known, same_type); !those.empty()) {
      return Median(resource, those, fmt::format("type {}", service.type));
    }
  }
  if (service.request == 0) return std::nullopt;
  return FirstSize{.target = service.request,
                   .why = fmt::format("{}: as its owner asked for; no service is like it",
                                      FormatSize(resource, service.request))};
}

}  // namespace berth
