#include "sim/faults/server_process.h"

#include <fmt/format.h>

#include <utility>

namespace berth::faults {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::uint32_t kAgentsMax = 3;

}  // namespace

ServerProcess::ServerProcess(World& world, StoreProcess& store, std::string name)
    : world_(world),
      store_(store),
      name_(std::move(name)),
      rng_(world.Stream("process").Fork(name_)),
      thoughts_(rng_.Fork("thoughts")),
      clock_(world.executor()) {}

void ServerProcess::Start() {
  const auto agents = static_cast<std::uint32_t>(1 + rng_.Below(kAgentsMax));
  // Agents may keep their names: what the last ones of that name sent can still arrive.
  const bool renamed = lives_ == 0 || rng_.Below(2) == 0;
  ++lives_;
  if (renamed) agents_ = fmt::format("{}.{}.", name_, lives_);
  connection_ = std::make_unique<Connection>(
      world_, store_, clock_,
      Connection::Options{.name = fmt::format("process {}, life {}", name_, lives_)});
  engine_ = std::make_unique<Engine>(*connection_, clock_,
                                     EngineOptions{.agents = agents,
                                                   .name = agents_,
                                                   .refresh_when_idle = rng_.Below(2) == 0,
                                                   .thinking = [this](bool hit) {
                                                     return DrawBetween(
                                                         thoughts_, microseconds(10),
                                                         hit ? microseconds(500) : milliseconds(3));
                                                   }});
  world_.Tell(fmt::format("process {} starts {} agents {}0...", name_, agents, agents_));
  engine_->Start([this](const Status& ready) {
    if (!ready.ok()) {
      world_.Break(fmt::format("process {} cannot start: {}", name_, ready.message()));
    }
  });
}

void ServerProcess::Crash() {
  world_.Count(Fault::kProcessCrashed);
  world_.Tell(fmt::format("process {} crashes", name_));
  engine_.reset();
  connection_.reset();
  world_.After(DrawBetween(rng_, milliseconds(1), milliseconds(40)), [this] {
    world_.Count(Fault::kProcessReturned);
    Start();
  });
}

void ServerProcess::Serve(const Request& request, const ReplyDone& answer) {
  if (up()) engine_->Submit(request, answer);
}

}  // namespace berth::faults
