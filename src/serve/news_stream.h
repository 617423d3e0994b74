// A stream of news for one client, whatever carries it and whatever it is about.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "berth/status.h"
#include "serve/zone.h"

namespace google::protobuf {
class Message;
}

namespace berth {

struct News {
  const google::protobuf::Message* message = nullptr;  // Null: there is only the end to tell.
  std::uint64_t id = 0;  // By which a client that comes back says what it has; 0: none.
  Status end = {};       // Not ok: nothing more comes, and this is why.
};

class NewsStream {
 public:
  enum class Reader : std::uint8_t { kReady, kFull };
  // Told on the zone's telling thread. A reader that is full is told no more until Resume.
  using Tell = std::function<Reader(const News& news)>;

  NewsStream() = default;
  NewsStream(const NewsStream&) = delete;
  NewsStream& operator=(const NewsStream&) = delete;
  virtual ~NewsStream() = default;

  // From any thread, all of them.
  virtual void Resume() = 0;
  // A few more may be told while it takes effect. Lets go of who is told.
  virtual void End() = 0;
  // Says that the server stops, and ends.
  virtual void Stop() = 0;
};

// What a reader is told when the server stops.
Status Stopping();

using OpenStream = std::function<std::shared_ptr<NewsStream>(
    Zone& zone, const google::protobuf::Message& request, NewsStream::Tell tell)>;
using StreamTable = std::map<std::string, OpenStream, std::less<>>;  // By the call's name.
StreamTable AllStreams();

}  // namespace berth
