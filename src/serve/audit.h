// The log: one JSON object a line. Every call that writes leaves one: who, what, and what came of
// it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "berth/status.h"

namespace google::protobuf {
class Message;
}
namespace spdlog {
class logger;
}

namespace berth {

class Audit {
 public:
  // Appends to the file; "-" is the error stream.
  static Result<std::unique_ptr<Audit>> Open(const std::string& file);
  ~Audit();
  Audit(const Audit&) = delete;
  Audit& operator=(const Audit&) = delete;

  // From any thread. `reply` is null when the call failed.
  void Note(const std::string& caller, const std::string& call,
            const google::protobuf::Message& request, const Status& status,
            const google::protobuf::Message* reply);
  // Something that happened to the server itself.
  void Say(std::string_view event, std::string_view detail);

 private:
  explicit Audit(std::shared_ptr<spdlog::logger> logger);

  std::shared_ptr<spdlog::logger> logger_;
};

}  // namespace berth
