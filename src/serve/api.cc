#include "serve/api.h"

#include <fmt/format.h>

namespace berth {

Api::Api(Zone& zone, Metrics& metrics, Audit& audit, const Tokens& tokens, Limits limits)
    : zone_(zone),
      metrics_(metrics),
      audit_(audit),
      tokens_(tokens),
      limits_(limits),
      handlers_(AllHandlers()),
      openers_(AllStreams()),
      rate_(limits.per_second) {}

Result<Caller> Api::Recognize(std::string_view authorization) {
  Result<Caller> caller = tokens_.Find(authorization);
  if (caller.ok()) return caller;
  metrics_.NoteWrongToken();
  if (strangers_told_.Take("stranger", zone_.decides().now())) {
    audit_.Say("wrong token", caller.status().message());
  }
  return caller;
}

Status Api::LetIn(const Method& method, const Caller& caller) {
  if (caller.may < method.needs && caller.may == v1::ROLE_NONE) {
    return {Code::kUnauthenticated,
            fmt::format("{} needs a token with the role {}; send it as 'Authorization: Bearer "
                        "TOKEN'",
                        method.name(), InWords(method.needs))};
  }
  if (caller.may < method.needs) {
    return {Code::kPermissionDenied,
            fmt::format("{} needs the role {}, and {} has {}; ask for another token", method.name(),
                        InWords(method.needs), caller.name, InWords(caller.may))};
  }
  if (method.needs != v1::ROLE_NONE && !rate_.Take(caller.name, zone_.decides().now())) {
    return {Code::kResourceExhausted,
            fmt::format("more than {} calls a second from {}; try again in a second",
                        limits_.per_second, caller.name)};
  }
  if (draining_ && method.needs != v1::ROLE_NONE) {
    return {Code::kUnavailable, "this server is stopping; ask another, or again in a moment"};
  }
  return {};
}

void Api::Call(const Method& method, const std::shared_ptr<const Message>& request,
               const CallOptions& options, Answer answer) {
  const Time start = zone_.decides().now();
  auto finish = [this, &method, start, options, request, answer = std::move(answer)](
                    const Status& status, const Message* message) {
    const Duration took = zone_.decides().now() - start;
    metrics_.NoteCall(method.name(), status.code(), took);
    const auto* outcome = dynamic_cast<const v1::Outcome*>(message);
    if (outcome != nullptr && !outcome->decision().arm().empty()) {
      metrics_.NoteArm(outcome->decision().arm(), took);
    }
    if (method.writes) audit_.Note(options.caller.name, method.name(), *request, status, message);
    answer(status, message);
  };
  if (const Status status = LetIn(method, options.caller); !status.ok())
    return finish(status, nullptr);
  // Health is asked of a server that has too much to do, too.
  if (in_flight_.fetch_add(1) >= limits_.in_flight && method.needs != v1::ROLE_NONE) {
    --in_flight_;
    return finish({Code::kResourceExhausted,
                   fmt::format("{} calls wait already; try again in a second", limits_.in_flight)},
                  nullptr);
  }
  zone_.decides().Post([this, &method, request, options, finish = std::move(finish)]() mutable {
    // Counted until its answer is on its way, so that a server that stops sends it.
    const auto leave = [this, finish = std::move(finish)](const Status& status,
                                                          const Message* message) {
      finish(status, message);
      --in_flight_;
    };
    if (zone_.decides().now() > options.deadline) {
      return leave({Code::kDeadlineExceeded,
                    "the deadline passed before the call's turn came; nothing was done"},
                   nullptr);
    }
    handlers_.at(method.name())(zone_, options, *request, leave);
  });
}

Result<std::shared_ptr<NewsStream>> Api::Open(const Method& method, const Message& request,
                                              const CallOptions& options,
                                              const std::function<NewsStream::Tell()>& begin) {
  Result<std::shared_ptr<NewsStream>> stream = LetInStream(method, request, options, begin);
  metrics_.NoteCall(method.name(), stream.ok() ? Code::kOk : stream.status().code(),
                    Duration::zero());
  return stream;
}

Result<std::shared_ptr<NewsStream>> Api::LetInStream(
    const Method& method, const Message& request, const CallOptions& options,
    const std::function<NewsStream::Tell()>& begin) {
  const std::lock_guard lock(mutex_);  // First: Drain ends what was let in before it.
  BERTH_RETURN_IF_ERROR(LetIn(method, options.caller));
  std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
  if (streams_.size() >= limits_.streams) {
    return Status(Code::kResourceExhausted,
                  fmt::format("{} streams are open already; close one", limits_.streams));
  }
  std::shared_ptr<NewsStream> stream = openers_.at(method.name())(zone_, request, begin());
  streams_.push_back(stream);
  return stream;
}

void Api::Drain() {
  draining_ = true;
  const std::lock_guard lock(mutex_);
  for (const auto& weak : streams_) {
    if (const auto stream = weak.lock()) stream->Stop();
  }
}

}  // namespace berth
