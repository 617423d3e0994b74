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
  StartingLimit start{.type = type.name, .limit = type.size, .why = {}};
  const auto own = followed_.find(key);
  if (own == followed_.end() || own->second.tenant != service.tenant) return start;
  for (const Resource r : kSizedResources) {
    const Recommender* recommender = own->second.of(r).InForce();
    if (recommender == nullptr) continue;
    const BoundedAdvice bounded = Bounded(key, own->second, asked, r, *recommender->Recommend());
    start.limit[r] = bounded.advice.target;
    start.why += fmt::format("{}{} as when it ran before, {}", start.why.empty() ? "" : "; ",
                             ResourceName(r), WhyBounded(*recommender, bounded));
  }
  return start;
}

}  // namespace berth
