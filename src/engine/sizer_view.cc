// What a sizer shows of what it knows and does.
#include <fmt/format.h>

#include <utility>

#include "engine/sizer.h"

namespace berth {

RecommendationPage Sizer::Recommendations(const RecommendationQuery& query) const {
  RecommendationPage page;
  const bool anew = query.after_service.empty();
  auto at = anew ? followed_.lower_bound({query.service, TypeId()})
                 : followed_.upper_bound({query.after_service, query.after_type});
  for (; at != followed_.end(); ++at) {
    const auto& [key, followed] = *at;
    if (!query.service.empty() && key.service != query.service) break;
    if (page.items.size() >= query.most) {
      page.more = true;
      break;
    }
    const ServiceState* service = means_.view.FindService(key.service);
    if (service == nullptr || ModeOf(*service) == SizingMode::kOff) continue;
    const std::optional<InForce> now = InForceOf(key, *service);
    if (!now) continue;
    for (const Resource r : kSizedResources) {
      if (followed.of(r).InForce() == nullptr) continue;
      page.items.push_back(Describe(key, followed, *service, *now, r));
    }
  }
  return page;
}

LiveRecommendation Sizer::Describe(const Key& key, const Followed& followed,
                                   const ServiceState& service, const InForce& now,
                                   Resource r) const {
  const FollowedUsage& usage = followed.of(r);
  const Recommender& recommender = *usage.InForce();
  const BoundedAdvice bounded = Bounded(key, followed, now, r, *recommender.Recommend());
  LiveRecommendation one{.service = key.service,
                         .type = key.type,
                         .resource = r,
                         .now = now.most[r],
                         .advice = bounded.advice,
                         .mode = ModeOf(service),
                         .recommender = usage.advisors().front().name,
                         .why = WhyBounded(recommender, bounded)};
  for (const FollowedUsage::Advisor& other : usage.advisors().subspan(1)) {
    const std::optional<SizeAdvice> advice = other.recommender->Recommend();
    if (!advice) continue;
    const BoundedAdvice theirs = Bounded(key, followed, now, r, *advice);
    one.others.push_back({other.name, theirs.advice.target});
  }
  one.out_of_memory = r == Resource::kMemory ? followed.out_of_memory : 0;
  if (r == Resource::kMemory) one.kills = followed.last_kills;
  one.used = static_cast<std::int64_t>(usage.used());
  if (one.mode != SizingMode::kAuto) return one;
  if (policy_.rollout) one.arm = IsCandidate(service) ? policy_.rollout->name : "control";
  if (bounded.cut && one.out_of_memory > 0) {
    one.held_back = fmt::format(
        "it was killed for want of memory {}, and may not have more; raise what cuts it",
        one.out_of_memory == 1 ? "once" : fmt::format("{} times", one.out_of_memory));
  } else if (!IsKept(followed, now, r, bounded.advice)) {
    one.held_back = HeldBack(followed, r, now, bounded);
    const bool put_off = followed.held_until > means_.executor.now();
    if (one.held_back.empty() && put_off) one.held_back = followed.held_because;
  }
  return one;
}

Sizer::Slack Sizer::slack() const {
  Slack slack;
  for (const auto& [key, followed] : followed_) {
    const ServiceState* service = means_.view.FindService(key.service);
    const std::optional<InForce> now = service == nullptr ? std::nullopt : InForceOf(key, *service);
    if (!now) continue;
    for (const Resource r : kSizedResources) {
      if (!followed.of(r).since()) continue;
      slack.limits[r] += static_cast<std::int64_t>(now->sum[r]);
      slack.used[r] += static_cast<std::int64_t>(followed.of(r).used()) * now->instances;
    }
  }
  return slack;
}

std::optional<Sizer::Rollout> Sizer::rollout() const {
  if (!policy_.rollout) return std::nullopt;
  Rollout rollout{.rollout = *policy_.rollout,
                  .state = rollout_,
                  .control = policy_.settings.others.recommender};
  std::string_view last;
  for (const auto& [key, followed] : followed_) {
    const ServiceState* service = means_.view.FindService(key.service);
    if (service == nullptr || key.service == last || ModeOf(*service) != SizingMode::kAuto) {
      continue;
    }
    last = key.service;
    ++(IsCandidate(*service) ? rollout.candidate_services : rollout.control_services);
  }
  return rollout;
}

}  // namespace berth
