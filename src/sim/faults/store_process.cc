#include "sim/faults/store_process.h"

#include <fmt/format.h>

#include <utility>

#include "berth/check.h"
#include "sim/faults/link.h"

namespace berth::faults {
namespace {

using std::chrono::milliseconds;

}  // namespace

StoreProcess::StoreProcess(World& world, Observers observers)
    : world_(world),
      rng_(world.Stream("store")),
      clock_(world.executor()),
      observers_(std::move(observers)),
      disk_(observers_.durable) {
  sync_faults_.after_failure = [this] {
    world_.After(DrawBetween(rng_, milliseconds(5), milliseconds(40)), [this] {
      if (store_ == nullptr || !store_->read_only()) return;
      world_.Tell("an operator restarts the read-only store");
      End();
    });
  };
}

StoreProcess::~StoreProcess() = default;

void StoreProcess::Load(std::vector<ChangeSet> changes) {
  Sequencer sequencer(Inventory(), /*undoable=*/false);
  for (ChangeSet& change : changes) {
    const Sequencer::Step step = sequencer.Take(std::move(change), clock_.now());
    BERTH_CHECK(step.committed != nullptr);
    disk_.Write(step.committed);
  }
  disk_.Sync();
  Return();
}

void StoreProcess::Crash(Fault fault) {
  if (store_ == nullptr) return;
  world_.Count(fault);
  world_.Tell(std::string(ToString(fault)));
  End();
}

void StoreProcess::End() {
  const std::size_t written = disk_.log().size();
  store_.reset();
  disk_.Crash(rng_);
  world_.Tell(fmt::format("the store ends; of {} revisions written {} are on the disk", written,
                          disk_.log().size()));
  for (const auto& link : std::exchange(links_, {})) link->Lose();
  world_.After(DrawBetween(rng_, milliseconds(1), milliseconds(30)), [this] {
    world_.Count(Fault::kStoreReturned);
    Return();
  });
}

void StoreProcess::Return() {
  store_ = std::make_unique<LoggedStore>(
      LoggedStore::Surroundings{world_, disk_, clock_, sync_faults_, counts_, observers_.read},
      rng_.Fork(rng_.Next()));
  world_.Tell(fmt::format("the store is there, at revision {}", disk_.log().size()));
  observers_.recovered();
}

std::shared_ptr<Link> StoreProcess::NewLink(Executor& home, std::int64_t slowness,
                                            std::function<void()> lost) {
  const std::uint64_t number = rng_.Next();
  links_.push_back(
      std::make_shared<Link>(world_, rng_.Fork(number), slowness, home, std::move(lost)));
  return links_.back();
}

}  // namespace berth::faults
