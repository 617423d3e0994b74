#include "serve/learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "oversub/tenant_amounts.h"
#include "serve/usage_metrics.h"

namespace berth {
namespace {

// A library is sorted anew for everything in it, and a kind is written as a whole, so not for every
// instance that ends.
constexpr Duration kPublishesEvery = std::chrono::minutes(1);
// Whoever has samples and never ends must not fill the memory.
constexpr std::size_t kSeenMax = 4'000'000;
constexpr std::size_t kReadAtOnce = 1000;
constexpr std::string_view kLearntPrefix = "learnt/";
constexpr std::string_view kPastLearnt = "learnt0";

std::string LearntKeyOf(const std::string& type, TenantRole role) {
  return fmt::format("{}{}/{}", kLearntPrefix, type,
                     role == TenantRole::kSecondary ? "secondary" : "primary");
}

void ForEachWindow(const Samples& samples, const SeriesName& name, Time from, Time to,
                   const std::function<void(const Window&)>& f) {
  for (;;) {
    const auto windows = samples.Read(name, from, to, kReadAtOnce);
    if (!windows.ok() || windows.value().empty()) return;
    for (const Window& window : windows.value()) f(window);
    from = windows.value().back().begin + kWindowLength;
  }
}

// What is not known is as before; at first, as when it was first known.
void FillIn(std::vector<std::int64_t>& steps) {
  const auto known = std::ranges::find_if(steps, [](std::int64_t amount) { return amount >= 0; });
  std::int64_t last = *known;
  for (std::int64_t& amount : steps) last = amount = amount < 0 ? last : amount;
}

}  // namespace

std::optional<DemandTrace> TraceOf(const Samples& samples, const Instance& instance, Time end) {
  const Step first = StepOf(instance.timeline.created);
  const std::int64_t length =
      std::clamp<std::int64_t>(std::int64_t{StepOf(end)} - first + 1, 1, kLifetimeStepsMax);
  std::vector<Resources> usage(static_cast<std::size_t>(length), instance.limit);
  bool sampled = false;
  for (const DemandResource demand : kAllDemandResources) {
    const Resource resource = ToResource(demand);
    const SeriesName name{ToString(instance.id),
                          std::string(kUsageMetrics[static_cast<std::size_t>(resource)])};
    std::vector<std::int64_t> steps(usage.size(), -1);
    bool known = false;
    ForEachWindow(samples, name, WindowOf(instance.timeline.created), end + Duration(1),
                  [&](const Window& window) {
                    if (window.first < instance.timeline.created) return;
                    const std::int64_t at = std::int64_t{StepOf(window.begin)} - first;
                    if (at < 0 || at >= length) return;
                    std::int64_t& step = steps[static_cast<std::size_t>(at)];
                    step = std::max(step, WholeAmount(window.max));
                    known = true;
                  });
    if (!known) continue;
    sampled = true;
    FillIn(steps);
    for (std::size_t i = 0; i < usage.size(); ++i) usage[i][resource] = steps[i];
  }
  if (!sampled) return std::nullopt;
  DemandTrace trace;
  trace.role = TenantRoleOf(instance.role);
  trace.samples.reserve(usage.size());
  for (const Resources& step : usage) trace.samples.push_back(UsageDemand(step));
  return trace;
}

Result<std::unique_ptr<LearntModels>> RecallLearnt(const Observations& observations,
                                                   std::shared_ptr<const TraceLibrary> given) {
  auto models = std::make_unique<LearntModels>(std::move(given));
  Status sound;
  BERTH_RETURN_IF_ERROR(observations.Scan(kLearntPrefix, kPastLearnt,
                                          [&](std::string_view key, std::string_view value) {
                                            sound = models->Restore(value, key);
                                            return sound.ok();
                                          }));
  BERTH_RETURN_IF_ERROR(sound);
  return models;
}

Learner::Learner(Executor& executor, Observer& observer, std::unique_ptr<LearntModels> models,
                 Learnt learnt)
    : executor_(executor),
      observer_(observer),
      learning_(std::make_shared<Learning>(Learning{.models = std::move(models), .unsaved = {}})),
      told_(std::move(learnt)) {}

Learner::~Learner() {
  *alive_ = false;
  SaveLater();
}

void Learner::Follow(Store& store, Revision from) {
  watch_ = store.WatchFrom(from, executor_,
                           [this, &store](const WatchEvent& event) { OnEvent(event, store); });
}

void Learner::OnEvent(const WatchEvent& event, Store& store) {
  // What ended in between is not learnt from.
  if (event.committed == nullptr) return Follow(store, event.compacted);
  for (const Update& update : event.committed->updates) OnUpdate(update, event.committed->at);
}

void Learner::OnUpdate(const Update& update, Time at) {
  if (update.key.kind == RecordKind::kService && !update.record) {
    const auto begin = seen_.lower_bound({update.key.name, 0});
    const auto end = seen_.upper_bound({update.key.name, UINT32_MAX});
    for (auto gone = begin; gone != end; ++gone) LearnFrom(gone->second, at);
    seen_.erase(begin, end);
  }
  if (update.key.kind != RecordKind::kInstance) return;
  const auto known = seen_.find({update.key.name, static_cast<std::uint32_t>(update.key.number)});
  if (known == seen_.end()) return;
  const Instance* now = update.record ? &std::get<Instance>(*update.record) : nullptr;
  if (now != nullptr && now->state != InstanceState::kEnded) {
    known->second = *now;
    return;
  }
  LearnFrom(known->second, at);
  seen_.erase(known);
}

void Learner::Seen(const Instance& instance) {
  if (instance.state == InstanceState::kEnded || seen_.size() >= kSeenMax) return;
  seen_.try_emplace(instance.id, instance);
}

void Learner::LearnFrom(const Instance& instance, Time end) {
  observer_.UseAll([this, instance, end, learning = learning_, &executor = executor_,
                    alive = alive_](const Samples& samples, Observations& /*observations*/) {
    const std::optional<DemandTrace> trace = TraceOf(samples, instance, end);
    if (!trace || !CheckTrace(*trace).ok()) return;
    const std::string type = instance.type.str();
    learning->models->Add(type, FitModel(*trace));
    learning->unsaved.emplace(type, trace->role);
    executor.Post([this, alive] {
      if (!*alive) return;
      ++learnt_;
      PublishLater();
    });
  });
}

void Learner::PublishLater() {
  if (std::exchange(publishes_, true)) return;
  executor_.PostAt(executor_.now() + kPublishesEvery, [this, alive = alive_] {
    if (*alive) Publish();
  });
}

void Learner::Publish() {
  publishes_ = false;
  SaveLater();
  observer_.UseAll([this, learning = learning_, &executor = executor_, alive = alive_](
                       const Samples& /*samples*/, Observations& /*observations*/) {
    executor.Post([this, alive, library = learning->models->Library()] {
      if (*alive) told_(library);
    });
  });
}

void Learner::SaveLater() {
  observer_.UseAll([learning = learning_, &observer = observer_](const Samples& /*samples*/,
                                                                 Observations& observations) {
    std::vector<Observation> kept;
    for (const auto& [type, role] : learning->unsaved) {
      kept.push_back({LearntKeyOf(type, role), learning->models->Encode(type, role)});
    }
    if (!observations.Write(kept).ok()) return observer.NoteNotSaved();
    learning->unsaved.clear();
  });
}

}  // namespace berth
