#include "serve/news_stream.h"

#include "serve/commit_stream.h"
#include "serve/fleet_news.h"
#include "serve/level_news.h"
#include "serve/paced_stream.h"

namespace berth {
namespace {

using google::protobuf::Message;

// Soon enough to look like at once, seldom enough that a busy fleet is told in handfuls.
constexpr Duration kFleetPace = std::chrono::milliseconds(200);
constexpr Duration kLevelsPace = std::chrono::seconds(1);

std::shared_ptr<NewsStream> OpenFleet(Zone& zone, const Message& /*request*/,
                                      NewsStream::Tell tell) {
  return PacedStream::Open(
      zone, kFleetPace,
      [told = std::make_shared<FleetNewsTeller>()](Zone& about) {
        return told->Next(about.view(), about.used(), about.engine().FollowedOutlook());
      },
      std::move(tell));
}

std::shared_ptr<NewsStream> OpenLevels(Zone& zone, const std::shared_ptr<LatestLevels>& latest,
                                       NewsStream::Tell tell) {
  return PacedStream::Open(
      zone, kLevelsPace,
      [latest, told = std::make_shared<LevelNewsTeller>()](Zone& about) {
        return told->Next(latest->At(about.view(), about.decides().now(), kLevelsPace));
      },
      std::move(tell));
}

}  // namespace

Status Stopping() {
  return {Code::kUnavailable,
          "this server is stopping; watch again from the last revision that came"};
}

StreamTable AllStreams() {
  StreamTable table;
  table.emplace("Watch", [](Zone& zone, const Message& request, NewsStream::Tell tell) {
    const auto& from = static_cast<const v1::WatchRequest&>(request);
    return CommitStream::Open(zone, Revision{from.from()}, std::move(tell));
  });
  table.emplace("WatchFleet", OpenFleet);
  table.emplace("WatchServiceLevels",
                [latest = std::make_shared<LatestLevels>()](Zone& zone, const Message& /*request*/,
                                                            NewsStream::Tell tell) {
                  return OpenLevels(zone, latest, std::move(tell));
                });
  return table;
}

}  // namespace berth
