#include "sim/faults/client.h"

#include <fmt/format.h>

#include <utility>

namespace berth::faults {
namespace {

using std::chrono::milliseconds;

constexpr std::uint32_t kAttemptsMax = 8;

// What the answer means to whoever asked.
enum class Meaning { kDone, kError, kAskAgain };

Meaning MeaningOf(const Reply& reply) {
  if (reply.status.code() == Code::kUnavailable) return Meaning::kAskAgain;
  if (!reply.status.ok()) return Meaning::kError;
  const bool lost_to_others =
      reply.decision && reply.decision->refusal && reply.decision->refusal->cure == Cure::kRetry;
  return lost_to_others ? Meaning::kAskAgain : Meaning::kDone;
}

}  // namespace

Client::Counts& Client::Counts::operator+=(const Counts& other) {
  asked += other.asked;
  retries += other.retries;
  acknowledged += other.acknowledged;
  errors += other.errors;
  given_up += other.given_up;
  return *this;
}

Client::Client(World& world, std::vector<std::unique_ptr<ServerProcess>>& servers,
               Workload& workload, History& history, std::string name)
    : world_(world),
      servers_(servers),
      workload_(workload),
      history_(history),
      name_(std::move(name)),
      rng_(world.Stream("client").Fork(name_)),
      there_(world, rng_.Fork("there")),
      back_(world, rng_.Fork("back")) {}

void Client::Begin() {
  world_.After(DrawBetween(rng_, milliseconds(1), milliseconds(12)), [this] {
    if (world_.healed()) return;
    Ask();
    Begin();
  });
}

void Client::Ask() {
  const std::string key = fmt::format("{}-{}", name_, ++requests_);
  ++counts_.asked;
  asked_.emplace(key, Asked{.request = {.what = workload_.Draw(), .idempotency_key = key}});
  Attempt(key);
}

void Client::Attempt(const std::string& key) {
  Asked& asked = asked_.at(key);
  if (++asked.attempts > 1) ++counts_.retries;
  ServerProcess& server = *servers_[rng_.Below(servers_.size())];
  there_.Send([this, &server, key, request = asked.request] {
    server.Serve(request, [this, key](const Reply& reply) {
      back_.Send([this, key, reply] { OnReply(key, reply); });
    });
  });
  world_.After(DrawBetween(rng_, milliseconds(15), milliseconds(80)),
               [this, key] { OnTimeout(key); });
}

void Client::OnTimeout(const std::string& key) {
  const auto asked = asked_.find(key);
  if (asked == asked_.end()) return;
  if (asked->second.attempts < kAttemptsMax || world_.healed()) return Attempt(key);
  world_.Tell(fmt::format("{} gives {} up", name_, key));
  ++counts_.given_up;
  asked_.erase(asked);
}

void Client::OnReply(const std::string& key, const Reply& reply) {
  const Meaning meaning = MeaningOf(reply);
  // Late ones and copies are promises too.
  if (meaning == Meaning::kDone) history_.Acknowledge(key, reply);
  if (meaning == Meaning::kError && reply.duplicate) {
    return world_.Break(fmt::format("the request with key {} was done, but asking again says: {}",
                                    key, reply.status.message()));
  }
  if (meaning == Meaning::kAskAgain || asked_.erase(key) == 0) return;
  ++(meaning == Meaning::kDone ? counts_.acknowledged : counts_.errors);
  world_.Tell(fmt::format("{} is told of {}: {}", name_, key,
                          !reply.status.ok() ? reply.status.message()
                          : reply.decision   ? ToString(reply.decision->id)
                                             : "done"));
}

}  // namespace berth::faults
