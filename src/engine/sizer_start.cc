// What a sizer has new services begin with.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/sizer.h"

namespace berth {

std::vector<StartingLimit> Sizer::StartingLimits(const Service& service) const {
  std::vector<StartingLimit> starts;
  const SizingMode mode = ModeOf(service, means_.executor.now());
  if (mode != SizingMode::kInitial && mode != SizingMode::kAuto) return starts;
  for (const InstanceGroup& group : service.groups) {
    const InstanceType* type = means_.view.Find(group.type);
    if (type == nullptr ||
        std::ranges::find(starts, group.type, &StartingLimit::type) != starts.end()) {
      continue;
    }
    StartingLimit start = StartOf(service, *type);
    if (start.limit != type->size) starts.push_back(std::move(start));
  }
  return starts;
}

StartingLimit Sizer::StartOf(const Service& service, const InstanceType& type) const {
  const Key key{service.name, type.name};
  InForce asked{.limit = type.size, .most = type.size, .sum = {}, .instances = 0};
  for (const InstanceGroup& group : service.groups) {
    if (group.type == type.name) asked.instances += group.count;
  }
  const auto found = followed_.find(key);
  const bool known = found != followed_.end() && found->second.tenant == service.tenant;
  Followed nothing;
  nothing.tenant = service.tenant;
  const Followed& own = known ? found->second : nothing;
  StartingLimit start{.type = type.name, .limit = type.size, .why = {}};
  for (const Resource r : kSizedResources) {
    std::optional<Start> one = StartFrom(key, own, r);
    if (!one) continue;
    const BoundedAdvice bounded = Bounded(key, own, asked, r, one->advice);
    for (const std::string& note : bounded.notes) one->why += fmt::format("; {}", note);
    start.limit[r] = bounded.advice.target;
    start.why += fmt::format("{}{} {}", start.why.empty() ? "" : "; ", ResourceName(r), one->why);
  }
  return start;
}

// What it needed before; else what those like it need.
std::optional<Sizer::Start> Sizer::StartFrom(const Key& key, const Followed& own,
                                             Resource r) const {
  if (const Recommender* recommender = own.of(r).InForce()) {
    return Start{.advice = *recommender->Recommend(),
                 .why = fmt::format("as when it ran before, {}", recommender->Why())};
  }
  const auto sizes = sizes_.find(key.type);
  if (sizes == sizes_.end()) return std::nullopt;
  const std::optional<FirstSize> first =
      SizeLikeOthers(r, {.tenant = own.tenant.str(), .type = key.type.str(), .request = 0},
                     r == Resource::kCpu ? sizes->second.cpu : sizes->second.memory);
  if (!first) return std::nullopt;
  return Start{.advice = {.target = first->target, .lower = first->target, .upper = first->target},
               .why = first->why};
}

void Sizer::GatherSizes() {
  sizes_.clear();
  if (!policy_.StartsAny()) return;
  for (const auto& [key, followed] : followed_) {
    KnownSizes& sizes = sizes_[key.type];
    for (const Resource r : kSizedResources) {
      const FollowedUsage& usage = followed.of(r);
      const Recommender* recommender = usage.InForce();
      if (recommender == nullptr || !usage.since() ||
          means_.executor.now() - *usage.since() < kWatchedFor) {
        continue;
      }
      (r == Resource::kCpu ? sizes.cpu : sizes.memory)
          .push_back({.service = key.service,
                      .tenant = followed.tenant.str(),
                      .type = key.type.str(),
                      .target = recommender->Recommend()->target});
    }
  }
}

}  // namespace berth
