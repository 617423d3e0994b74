#include "serve/zone.h"

#include <future>

#include "base/run_on.h"
#include "engine/replicator.h"
#include "engine/sizer.h"
#include "fleet/inventory.h"
#include "serve/kept_usage.h"

namespace berth {
namespace {

// What recommenders and scalers learned since may be lost with the process.
constexpr Duration kSaveLearnedEvery = std::chrono::minutes(5);
constexpr std::size_t kSavedAtOnce = 1000;
// Programs have so long to answer when the zone is closed.
constexpr Duration kAnswersMax = std::chrono::seconds(5);

}  // namespace

Zone::Zone(std::unique_ptr<Store> store, std::unique_ptr<Observations> observations,
           std::string store_name, Options options)
    : store_name_(std::move(store_name)),
      programs_(std::move(options.programs)),
      observer_(std::move(observations)),
      store_(std::move(store)),
      engine_(std::make_unique<Engine>(
          *store_, decides_,
          EngineOptions{
              .agents = options.agents,
              .name = options.agent_name,
              .default_policy = options.default_policy,
              .refresh_when_idle = true,
              .demand = options.learnt == nullptr ? options.demand : options.learnt->Library(),
              .programs = programs_.get()})) {
  planner_ = std::make_unique<Planner>(Planner::Means{
      .decides = decides_, .ponders = ponders_, .observer = observer_, .engine = *engine_});
  if (options.learnt == nullptr) return;
  learner_ = std::make_unique<Learner>(decides_, observer_, std::move(options.learnt),
                                       [this](std::shared_ptr<const TraceLibrary> library) {
                                         if (engine_ != nullptr)
                                           engine_->UseDemand(std::move(library));
                                       });
}

Zone::~Zone() {
  foreseer_.Close();
  RunOn(decides_, [this] { planner_.reset(); });  // What it ponders over, it is waited for below.
  RunOn(tells_, [] {});
  RunOn(ponders_, [] {});
  foreseer_.Flush();
  if (started_) AwaitPrograms();
  RunOn(decides_, [this] {
    recent_.Stop();
    ended_.Stop();
    if (started_) SaveLearned();
    learner_.reset();
    engine_.reset();
  });
  observer_.Flush();
  store_.reset();  // Answers what waits: executors must still be there.
}

// What they have not answered by then is lost with them.
void Zone::AwaitPrograms() {
  AwaitOn(decides_, kAnswersMax, [this] { return programs_->Waiting() == 0; });
}

Status Zone::Start() {
  const std::vector<Observation> sizing = observer_.Recall(Sizer::kStateFrom, Sizer::kStateTo);
  const std::vector<Observation> scaling =
      observer_.Recall(Replicator::kStateFrom, Replicator::kStateTo);
  const std::vector<Observation> plans = observer_.Recall(Planner::kStateFrom, Planner::kStateTo);
  BERTH_TRY(const RecalledUsage usage, RecallUsage());
  std::promise<Status> ready;
  decides_.Post([&] {
    for (const auto& [id, seen] : usage) {
      seen.ForEachTime([&, created = seen.created, instance = id](const Resources& now,
                                                                  const Resources& peak, Time at) {
        engine_->Recall(instance, created, now, peak, at);
      });
    }
    engine_->Start([&](Status status) {
      if (status.ok()) {
        recent_.Follow(*store_, decides_, view().revision());
        ended_.Follow(*store_, decides_, observer_, view().revision());
        if (learner_ != nullptr) learner_->Follow(*store_, view().revision());
        for (const auto& [id, seen] : usage) {
          seen.ForEachTime([&, instance = id](const Resources& now, const Resources& /*peak*/,
                                              Time at) { NoteSeen(instance, now, at); });
        }
        engine_->sizer().Restore(sizing);
        engine_->replicator().Restore(scaling);
        planner_->Start(plans);
        started_ = true;
        SaveLearnedLater();
      }
      ready.set_value(std::move(status));
    });
  });
  return ready.get_future().get();
}

void Zone::SaveLearnedLater() {
  decides_.PostAt(decides_.now() + kSaveLearnedEvery, [this] {
    if (engine_ == nullptr) return;
    SaveLearned();
    SaveLearnedLater();
  });
}

void Zone::SaveLearned() {
  const auto save = [this](auto& learner) {
    for (;;) {
      std::vector<Observation> changed = learner.TakeChanged(kSavedAtOnce);
      if (changed.empty()) return;
      observer_.Keep(std::move(changed));
    }
  };
  save(engine_->sizer());
  save(engine_->replicator());
}

Result<Zone::RecalledUsage> Zone::RecallUsage() {
  BERTH_TRY(const std::shared_ptr<const Inventory> fleet, Snapshot());
  std::promise<Result<RecalledUsage>> recalled;
  observer_.UseRecords([&](UsageRecords& records) {
    RecalledUsage usage;
    std::vector<InstanceId> gone;
    Status status = records.ForEach([&](const InstanceId& id, const SeenUsage& seen) {
      if (IsStillThere(*fleet, id, seen)) {
        usage.emplace_back(id, seen);
      } else {
        gone.push_back(id);
      }
    });
    for (std::size_t i = 0; status.ok() && i < gone.size(); ++i) status = records.Drop(gone[i]);
    recalled.set_value(status.ok() ? Result<RecalledUsage>(std::move(usage)) : status);
    return status;
  });
  return recalled.get_future().get();
}

void Zone::Observe(const InstanceId& instance, const Resources& usage, const Resources& peak,
                   Time at) {
  engine_->Observe(instance, usage, peak, at);
  NoteSeen(instance, usage, at);
  const Instance* known = view().Find(instance);
  if (known == nullptr || at < known->timeline.created) return;
  observer_.UseRecords(
      [instance, created = known->timeline.created, usage, peak, at](UsageRecords& records) {
        return records.Note(instance, created, usage, peak, at);
      });
}

void Zone::NoteSeen(const InstanceId& instance, const Resources& usage, Time at) {
  used_.Note(view(), instance, usage, at);
  if (learner_ == nullptr) return;
  if (const Instance* known = view().Find(instance)) learner_->Seen(*known);
}

Result<std::shared_ptr<const Inventory>> Zone::Snapshot() {
  std::promise<Result<std::shared_ptr<const Inventory>>> read;
  store_->Read(ponders_, [&](Result<std::shared_ptr<const Inventory>> snapshot) {
    read.set_value(std::move(snapshot));
  });
  return read.get_future().get();
}

}  // namespace berth
