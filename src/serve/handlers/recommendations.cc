#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "engine/replicator.h"
#include "engine/sizer.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

v1::Recommendation RecommendationMessage(const LiveRecommendation& one) {
  v1::Recommendation message;
  message.set_service(one.service);
  message.set_type(one.type.str());
  message.set_resource(std::string(ResourceName(one.resource)));
  message.set_now(one.now);
  message.set_target(one.advice.target);
  message.set_lower(one.advice.lower);
  message.set_upper(one.advice.upper);
  message.set_mode(std::string(ToString(one.mode)));
  message.set_recommender(one.recommender);
  message.set_why(one.why);
  for (const LiveRecommendation::Other& other : one.others) {
    v1::OtherAdvice& advice = *message.add_others();
    advice.set_recommender(other.recommender);
    advice.set_target(other.target);
  }
  message.set_held_back(one.held_back);
  message.set_out_of_memory(one.out_of_memory);
  for (const MemoryKill& killed : one.kills) {
    v1::MemoryKill& kill = *message.add_kills();
    kill.set_at_ms(ToMicros(killed.at) / 1'000);
    kill.set_limit(killed.limit);
    kill.set_count(killed.count);
  }
  message.set_arm(one.arm);
  message.set_used(one.used);
  return message;
}

v1::Recommendation RecommendationMessage(const LiveCount& one) {
  v1::Recommendation message;
  message.set_service(one.service);
  message.set_type(one.type.str());
  message.set_resource("replicas");
  message.set_now(one.replicas);
  for (const auto set : {&v1::Recommendation::set_target, &v1::Recommendation::set_lower,
                         &v1::Recommendation::set_upper}) {
    (message.*set)(one.count.value_or(one.replicas));
  }
  message.set_mode(std::string(ToString(one.mode)));
  message.set_recommender(one.scaler);
  message.set_why(one.why);
  message.set_held_back(one.held_back);
  message.set_used(one.replicas - std::min(one.replicas, one.starting));
  return message;
}

// One of either kind, by what they are ordered by.
struct Listed {
  std::string service;
  TypeId type;
  v1::Recommendation message;

  bool IsBefore(const Listed& other) const {
    return std::pair(std::string_view(service), type) <
           std::pair(std::string_view(other.service), other.type);
  }
};

struct ListedPage {
  std::vector<Listed> items;
  bool more = false;
};

template <typename Found>
ListedPage Listing(const Found& found) {
  ListedPage page{.items = {}, .more = found.more};
  page.items.reserve(found.items.size());
  for (const auto& one : found.items) {
    page.items.push_back({one.service, one.type, RecommendationMessage(one)});
  }
  return page;
}

// What both say of one service and type is on one page. Of a list that goes on, nothing is known of
// what comes after its last.
ListedPage Merged(const ListedPage& sizes, const ListedPage& counts, std::size_t most) {
  const auto before = [](const Listed& a, const Listed& b) { return a.IsBefore(b); };
  ListedPage merged{.items = {}, .more = sizes.more || counts.more};
  std::ranges::merge(sizes.items, counts.items, std::back_inserter(merged.items), before);
  std::size_t end = merged.items.size();
  const auto cut_after = [&](const Listed& last) {
    const auto past = std::ranges::upper_bound(merged.items, last, before);
    end = std::min(end, static_cast<std::size_t>(past - merged.items.begin()));
  };
  if (sizes.more) cut_after(sizes.items.back());
  if (counts.more) cut_after(counts.items.back());
  if (end > most) cut_after(merged.items[most - 1]);
  merged.more = merged.more || end < merged.items.size();
  merged.items.resize(end);
  return merged;
}

void AddArm(const std::string& name, const std::string& recommender, std::uint64_t services,
            const ArmTally& tally, v1::RecommendationList& reply) {
  v1::SizingArm& arm = *reply.add_arms();
  arm.set_name(name);
  arm.set_recommender(recommender);
  arm.set_services(services);
  arm.set_instance_windows(tally.instance_windows);
  arm.set_out_of_memory(tally.out_of_memory);
  arm.set_overruns(tally.overruns);
}

// A page begins after the service and type that its token names, "SERVICE TYPE".
void ListRecommendations(Zone& zone, const v1::ListRecommendationsRequest& request,
                         const Respond<v1::RecommendationList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), "");
  if (!page.ok()) return respond(page.status());
  if (!request.service().empty() && zone.view().FindService(request.service()) == nullptr) {
    return respond(
        Status(Code::kNotFound, fmt::format("there is no service {}", Quoted(request.service()))));
  }
  RecommendationQuery query{.service = request.service(),
                            .after_service = {},
                            .after_type = {},
                            .most = page.value().size()};
  if (!request.page_token().empty()) {
    const std::vector<std::string_view> names = Split(request.page_token(), ' ');
    const std::optional<TypeId> type =
        names.size() == 2 ? TypeId::Known(names[1]) : std::optional<TypeId>();
    if (!type || names[0].empty()) {
      return respond(Status(Code::kInvalidArgument, "page_token is none that a page ended with"));
    }
    query.after_service = names[0];
    query.after_type = *type;
  }
  Sizer& sizer = zone.engine().sizer();
  const ListedPage found =
      Merged(Listing(sizer.Recommendations(query)),
             Listing(zone.engine().replicator().Recommendations(query)), query.most);
  v1::RecommendationList reply;
  for (const Listed& one : found.items) *reply.add_recommendations() = one.message;
  if (found.more) {
    const Listed& last = found.items.back();
    reply.set_next_page_token(fmt::format("{} {}", last.service, last.type.str()));
  }
  if (const std::optional<Sizer::Rollout> rollout = sizer.rollout()) {
    AddArm(rollout->rollout.name, rollout->rollout.recommender, rollout->candidate_services,
           rollout->state.candidate, reply);
    AddArm("control", rollout->control, rollout->control_services, rollout->state.control, reply);
    reply.set_rolled_back(rollout->state.rolled_back);
  }
  respond(std::move(reply));
}

}  // namespace

void AddRecommendationHandlers(HandlerTable& table) {
  AddHandler(table, "ListRecommendations", ListRecommendations);
}

}  // namespace berth
