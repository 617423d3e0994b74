// What a replicator shows of what it knows and does.
#include "engine/replicator.h"

namespace berth {

CountPage Replicator::Recommendations(const RecommendationQuery& query) const {
  CountPage page;
  const bool anew = query.after_service.empty();
  auto at = followed_.lower_bound(anew ? query.service : query.after_service);
  for (; at != followed_.end(); ++at) {
    const auto& [name, followed] = *at;
    if (!query.service.empty() && name != query.service) break;
    // It was on the page before.
    if (!anew && name == query.after_service && followed.type <= query.after_type) continue;
    const ServiceState* service = means_.view.FindService(name);
    const bool says = !followed.trouble.empty() || AdviceOf(followed);
    if (service == nullptr || !says) continue;
    if (page.items.size() >= query.most) {
      page.more = true;
      break;
    }
    page.items.push_back(Describe(name, followed, *service));
  }
  return page;
}

LiveCount Replicator::Describe(const std::string& name, const Followed& followed,
                               const ServiceState& service) const {
  LiveCount one{.service = name,
                .type = followed.type,
                .role = followed.role,
                .replicas = ReplicasOf(service, followed),
                .starting = followed.seen.starting,
                .unmeasured = followed.seen.unmeasured,
                .cpu_milli = followed.seen.cpu_milli,
                .mode = ModeOf(name),
                .scaler = policy_.Of(name).scaling.scaler,
                .held_back = followed.trouble};
  if (!AdviceOf(followed)) return one;
  one.count = AdviceOf(followed)->count;
  one.why = AdviceOf(followed)->why;
  const std::int64_t growth = std::int64_t{*one.count} - std::int64_t{one.replicas};
  if (one.mode == ScalingMode::kAuto && growth != 0 && IsHeld(followed, growth)) {
    one.held_back = followed.held_because;
  }
  return one;
}

Replicator::Counts Replicator::counts() const {
  Counts counts = counts_;
  counts.followed = followed_.size();
  for (const auto& [name, followed] : followed_) {
    if (!AdviceOf(followed)) continue;
    counts.replicas += followed.seen.replicas;
    counts.wanted += AdviceOf(followed)->count;
  }
  return counts;
}

}  // namespace berth
