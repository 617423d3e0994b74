#include "serve/level_news.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>

#include "serve/service_levels.h"

namespace berth {
namespace {

constexpr std::size_t kPendingTold = 100;

}  // namespace

std::shared_ptr<const v1::ServiceLevelNews> LatestLevels::At(const Inventory& view, Time now,
                                                             Duration age) {
  if (latest_ != nullptr && now >= looked_up_ && now - looked_up_ < age) return latest_;
  auto news = std::make_shared<v1::ServiceLevelNews>();
  *news->mutable_levels() = ServiceLevelsIn(view, now);
  std::vector<v1::PendingInstance> pending = PendingIn(view, "", now);
  news->set_pending_in_all(pending.size());
  pending.resize(std::min(pending.size(), kPendingTold));
  for (v1::PendingInstance& one : pending) *news->add_pending() = std::move(one);
  looked_up_ = now;
  latest_ = news;
  return latest_;
}

std::shared_ptr<const v1::ServiceLevelNews> LevelNewsTeller::Next(
    const std::shared_ptr<const v1::ServiceLevelNews>& latest) {
  const bool same =
      told_ == latest ||
      (told_ != nullptr && google::protobuf::util::MessageDifferencer::Equals(*told_, *latest));
  told_ = latest;
  return same ? nullptr : latest;
}

}  // namespace berth
