// What each call does. One file a kind of thing in handlers/, one line in handlers.def.
//
// A handler runs on the zone's deciding thread, never waits, and answers once, there or elsewhere.
// The request lives until it has. The deadline had not passed when its turn came; one that waits
// once more before it does what takes long looks again.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "berth/status.h"
#include "serve/tokens.h"
#include "serve/zone.h"

namespace google::protobuf {
class Message;
}

namespace berth {

struct CallOptions {
  Caller caller;
  Time deadline = Time::max();
};

using HandlerAnswer =
    std::function<void(const Status& status, const google::protobuf::Message* message)>;
using Handler = std::function<void(Zone& zone, const CallOptions& options,
                                   const google::protobuf::Message& request, HandlerAnswer answer)>;
using HandlerTable = std::map<std::string, Handler, std::less<>>;  // By the call's name.

HandlerTable AllHandlers();

// How a handler answers: with the reply, or with what went wrong.
template <typename Reply>
using Respond = std::function<void(Result<Reply> reply)>;

template <typename Reply>
Respond<Reply> RespondTo(HandlerAnswer answer) {
  return [answer = std::move(answer)](Result<Reply> reply) {
    if (reply.ok()) {
      answer(Status(), &reply.value());
    } else {
      answer(reply.status(), nullptr);
    }
  };
}

// Adds a handler that knows its messages by their types.
template <typename Request, typename Reply>
void AddHandler(HandlerTable& table, std::string name,
                void (*handle)(Zone& zone, const Request& request, const Respond<Reply>& respond)) {
  table.emplace(
      std::move(name), [handle](Zone& zone, const CallOptions& /*options*/,
                                const google::protobuf::Message& request, HandlerAnswer answer) {
        handle(zone, static_cast<const Request&>(request), RespondTo<Reply>(std::move(answer)));
      });
}
// One that goes by who calls, or until when.
template <typename Request, typename Reply>
void AddHandler(HandlerTable& table, std::string name,
                void (*handle)(Zone& zone, const CallOptions& options, const Request& request,
                               const Respond<Reply>& respond)) {
  table.emplace(std::move(name),
                [handle](Zone& zone, const CallOptions& options,
                         const google::protobuf::Message& request, HandlerAnswer answer) {
                  handle(zone, options, static_cast<const Request&>(request),
                         RespondTo<Reply>(std::move(answer)));
                });
}

}  // namespace berth
