#include "sim/faults/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/faults/chaos.h"
#include "sim/faults/history.h"
#include "sim/faults/server_process.h"
#include "sim/faults/watcher.h"
#include "sim/faults/workload.h"

namespace berth {
namespace faults {
namespace {

constexpr std::uint64_t kServersMin = 2;
constexpr std::uint64_t kServersMax = 3;
constexpr std::uint64_t kClients = 3;
constexpr std::int64_t kSlowness = 10;
// Far more than a healthy control plane needs: for a step, and to come to rest.
constexpr std::uint64_t kTasksPerStepMax = 1'000;
constexpr std::size_t kSettleTasksMax = 200'000;
// A run goes on for so many times its steps at most, if by then a kind of fault has not happened.
constexpr std::uint64_t kLongerMax = 20;

std::uint64_t PreemptionsIn(const Committed& committed) {
  std::uint64_t count = 0;
  for (const Update& update : committed.updates) {
    const auto* decision = update.record ? std::get_if<Decision>(&*update.record) : nullptr;
    if (decision != nullptr) count += decision->yielded.size();
  }
  return count;
}

class Run {
 public:
  explicit Run(const FaultOptions& options)
      : options_(options),
        world_(options.seed, options.planted),
        history_(world_),
        store_(world_, {.durable = [this](const Disk::Entry& entry) { history_.Append(entry); },
                        .read = [this](const Inventory& read) { history_.CheckSnapshot(read); },
                        .recovered = [this] { CheckNothingLost(); }}),
        workload_(world_.Stream("workload"), options.scheduler),
        chaos_(world_, store_, servers_, watchers_) {}

  FaultResult Finish() {
    Begin();
    for (std::uint64_t tasks = 0; GoesOn(); ++tasks) {
      if (tasks > options_.steps * kTasksPerStepMax) world_.Break("the control plane spins");
      world_.executor().RunUntilIdle(/*tasks_max=*/1);
    }
    Settle();
    if (!world_.broken()) CheckEnd();
    return Summarise();
  }

 private:
  void Begin() {
    store_.Load(workload_.Fleet());
    Rng rng = world_.Stream("shape");
    const std::uint64_t servers = kServersMin + rng.Below(kServersMax - kServersMin + 1);
    for (std::uint64_t i = 0; i < servers; ++i) {
      servers_.push_back(std::make_unique<ServerProcess>(world_, store_, fmt::format("p{}", i)));
      servers_.back()->Start();
    }
    for (std::uint64_t i = 0; i < kClients; ++i) {
      clients_.push_back(std::make_unique<Client>(world_, servers_, workload_, history_,
                                                  fmt::format("client{}", i)));
      clients_.back()->Begin();
    }
    watchers_.push_back(std::make_unique<Watcher>(world_, store_, history_,
                                                  Connection::Options{.name = "the watcher"}));
    watchers_.push_back(std::make_unique<Watcher>(
        world_, store_, history_,
        Connection::Options{.name = "the slow watcher", .slowness = kSlowness}));
    chaos_.Begin();
  }

  // For so many steps, and then until every kind of fault had its turn: they are dealt one after
  // another.
  bool GoesOn() const {
    if (world_.broken() || world_.steps() >= options_.steps * kLongerMax) return false;
    return world_.steps() < options_.steps ||
           std::ranges::any_of(world_.counts(), [](std::uint64_t count) { return count == 0; });
  }

  void CheckNothingLost() {
    history_.CheckAcknowledged();
    for (const auto& watcher : watchers_) watcher->CheckSeen();
  }

  // No more faults: everything is answered and everyone catches up.
  void Settle() {
    world_.Heal();
    bool resting = !options_.scheduler;
    for (std::size_t i = 0; i < kSettleTasksMax && !world_.broken(); ++i) {
      // Asked again for a while: a process may have ended with the question.
      if (!resting && i % 1'000 == 0) {
        servers_.front()->Serve({.what = ApplyPolicy{Workload::RestfulPolicy()}},
                                [&resting](const Reply& reply) { resting = reply.accepted(); });
      }
      if (world_.executor().RunUntilIdle(/*tasks_max=*/1) == 0) return;
    }
    world_.Break("the control plane does not come to rest although nothing fails any more");
  }

  void CheckEnd() {
    CheckNothingLost();
    for (const auto& watcher : watchers_) {
      if (watcher->last() == history_.revision()) continue;
      world_.Break(fmt::format("{} stopped at revision {} of {}", watcher->name(),
                               ToNumber(watcher->last()), ToNumber(history_.revision())));
    }
    for (const auto& server : servers_) CheckView(*server);
  }

  void CheckView(const ServerProcess& server) {
    const Inventory& view = server.engine().view();
    if (history_.Agrees(view)) return;
    world_.Break(
        fmt::format("process {} came to rest at revision {} and does not see what was "
                    "committed up to {}",
                    server.name(), ToNumber(view.revision()), ToNumber(history_.revision())));
  }

  FaultResult Summarise() {
    FaultResult result;
    result.steps = world_.steps();
    result.faults = world_.counts();
    result.store = store_.counts();
    for (const auto& client : clients_) result.clients += client->counts();
    for (const Disk::Entry& entry : store_.log()) result.preemptions += PreemptionsIn(*entry);
    for (const std::uint64_t count : result.faults) world_.digest().Add(count);
    world_.digest().Add(result.steps);
    result.unseed = world_.digest().value();
    result.broken = world_.broken();
    result.story.assign(world_.story().begin(), world_.story().end());
    return result;
  }

  const FaultOptions options_;
  World world_;
  History history_;
  StoreProcess store_;
  Workload workload_;
  std::vector<std::unique_ptr<ServerProcess>> servers_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  Chaos chaos_;
};

}  // namespace
}  // namespace faults

FaultResult SimulateFaults(const FaultOptions& options) { return faults::Run(options).Finish(); }

}  // namespace berth
