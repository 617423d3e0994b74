#include "sim/scenario_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "allocate/explain.h"
#include "base/text.h"
#include "base/virtual_executor.h"
#include "berth/rng.h"
#include "engine/policy.h"
#include "engine/replicator.h"
#include "engine/sizer.h"
#include "sim/store_bridge.h"

namespace berth {
namespace {

// FNV-1a: the same on every machine.
class Digest {
 public:
  void Add(std::string_view text) {
    for (const char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  void Add(std::uint64_t number) { Add(std::to_string(number)); }
  std::uint32_t value() const { return static_cast<std::uint32_t>(hash_ ^ (hash_ >> 32)); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

struct Verdict {
  bool held = true;
  std::string happened;
};

std::string Describe(const Reply& reply) {
  if (!reply.status.ok()) return fmt::format("invalid: {}", reply.status.message());
  const std::string_view again = reply.duplicate ? "again, " : "";
  return reply.decision ? fmt::format("{}{}", again, SummarizeDecision(*reply.decision)) : "noted";
}

bool IsAsWanted(const ExpectedReply& wanted, const Reply& reply) {
  switch (wanted.answer) {
    case ExpectedReply::Answer::kAccepted:
      return reply.accepted();
    case ExpectedReply::Answer::kInvalid:
      return !reply.status.ok() && reply.status.message().find(wanted.says) != std::string::npos;
    case ExpectedReply::Answer::kRefused: {
      if (!reply.status.ok() || reply.accepted()) return false;
      const Refusal& refusal = *reply.decision->refusal;
      return (!wanted.because || *wanted.because == refusal.rule) &&
             (!wanted.cure || *wanted.cure == refusal.cure) &&
             refusal.because.find(wanted.says) != std::string::npos;
    }
  }
  return false;
}

Verdict CheckContains(std::string text, const std::vector<std::string>& contains) {
  for (const std::string& part : contains) {
    if (text.find(part) == std::string::npos) {
      return {.held = false, .happened = fmt::format("\"{}\" is not in it:\n{}", part, text)};
    }
  }
  return {.held = true, .happened = std::move(text)};
}

constexpr Duration kSampleEvery = std::chrono::minutes(1);

class ScenarioRunner {
 public:
  ScenarioRunner(const Scenario& scenario, Store& store, const ScenarioOptions& options)
      : scenario_(scenario), rng_(options.seed), bridge_(store, executor_) {}

  Status Start() {
    watch_ =
        bridge_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& event) { Note(event); });
    BERTH_RETURN_IF_ERROR(StartEngine());
    if (ToNumber(engine_->view().revision()) != 0) {
      return Status(
          Code::kFailedPrecondition,
          fmt::format("the store already holds a fleet, at revision {}; name a new directory or "
                      "remove the old one",
                      ToNumber(engine_->view().revision())));
    }
    return {};
  }

  // Runs the step at `at` and those that start together with it; answers how many that were.
  std::size_t Run(std::size_t at, std::vector<StepOutcome>& outcomes) {
    const ScenarioStep& step = scenario_.steps[at];
    if (std::holds_alternative<DoDeed>(step.what)) return RunDeeds(at, outcomes);
    const Verdict verdict =
        std::visit([this](const auto& what) { return this->Do(what); }, step.what);
    Add(step, verdict, outcomes);
    return 1;
  }

  std::uint64_t decisions() const { return decisions_; }
  std::uint32_t Unseed() {
    digest_.Add(rng_.Fork("unseed").Next());
    return digest_.value();
  }

 private:
  Status StartEngine() {
    engine_.emplace(bridge_, executor_, EngineOptions{.agents = scenario_.agents});
    std::optional<Status> ready;
    engine_->Start([&](Status status) { ready = std::move(status); });
    bridge_.Settle();
    return ready.value_or(Status(Code::kInternal, "the engine did not start"));
  }

  void Note(const WatchEvent& event) {
    if (event.committed == nullptr) return;
    for (const Update& update : event.committed->updates) {
      if (update.key.kind != RecordKind::kDecision) continue;
      ++decisions_;
      digest_.Add(ExplainDecision(std::get<Decision>(*update.record)));
    }
  }

  static void Add(const ScenarioStep& step, const Verdict& verdict,
                  std::vector<StepOutcome>& outcomes) {
    outcomes.push_back(
        {.line = step.line, .text = step.text, .happened = verdict.happened, .held = verdict.held});
  }

  std::size_t RunDeeds(std::size_t at, std::vector<StepOutcome>& outcomes) {
    std::vector<const ScenarioStep*> steps = {&scenario_.steps[at]};
    for (std::size_t next = at + 1; next < scenario_.steps.size(); ++next) {
      const auto* deed = std::get_if<DoDeed>(&scenario_.steps[next].what);
      if (deed == nullptr || !deed->together) break;
      steps.push_back(&scenario_.steps[next]);
    }
    std::vector<std::size_t> order(steps.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    rng_.Fork(steps.front()->line).Shuffle(std::span(order));

    std::vector<std::vector<std::optional<Reply>>> replies(steps.size());
    for (const std::size_t i : order) {
      const DoDeed& deed = std::get<DoDeed>(steps[i]->what);
      replies[i].resize(deed.deeds.size());
      for (std::size_t j = 0; j < deed.deeds.size(); ++j) {
        Submit(deed.deeds[j], [slot = &replies[i][j]](Reply reply) { *slot = std::move(reply); });
      }
    }
    bridge_.Settle();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Add(*steps[i], Judge(std::get<DoDeed>(steps[i]->what).wanted, replies[i]), outcomes);
    }
    return steps.size();
  }

  void Submit(const Deed& deed, ReplyDone done) {
    if (const auto* decommission = std::get_if<Decommission>(&deed)) {
      return engine_->Decommission(decommission->machine.str(), std::move(done));
    }
    if (const auto* observe = std::get_if<ObserveUsage>(&deed)) {
      engine_->Observe(observe->instance, observe->usage, executor_.now());
      return done({});
    }
    const Request& request = std::get<Request>(deed);
    if (const auto* create = std::get_if<CreateService>(&request.what)) {
      asked_[create->service.name] = create->service;
    }
    engine_->Submit(request, std::move(done));
  }

  Verdict Judge(const ExpectedReply& wanted, std::vector<std::optional<Reply>>& replies) {
    Verdict verdict;
    for (std::optional<Reply>& reply : replies) {
      if (!reply) return {.held = false, .happened = "no answer came"};
      verdict.held = verdict.held && IsAsWanted(wanted, *reply);
      verdict.happened += (verdict.happened.empty() ? "" : "; ") + Describe(*reply);
      last_ = std::move(*reply);
    }
    return verdict;
  }

  // The engine runs deeds together, so they are not done one by one.
  static Verdict Do(const DoDeed& /*deed*/) { return {}; }

  Verdict Do(const DoAdvance& advance) {
    bridge_.SettleUntil(executor_.now() + advance.by);
    return {.held = true, .happened = "ok"};
  }

  Verdict Do(const DoUse& use) {
    std::uint64_t samples = 0;
    EverySample(use.span, [&] { samples += Sample(use); });
    if (samples == 0) return {.held = false, .happened = "there is no such instance on a machine"};
    return {.held = true, .happened = Plural(samples, "sample")};
  }

  Verdict Do(const DoMeasure& measure) {
    std::uint64_t samples = 0;
    EverySample(measure.span, [&] {
      const UsagePoint point{executor_.now(), measure.value};
      engine_->replicator().ObserveMetric(measure.service, measure.metric, {&point, 1});
      ++samples;
    });
    return {.held = true, .happened = Plural(samples, "sample")};
  }

  void EverySample(Duration span, const std::function<void()>& take) {
    const Time until = executor_.now() + span;
    while (executor_.now() < until) {
      take();
      bridge_.SettleUntil(std::min(executor_.now() + kSampleEvery, until));
    }
  }

  // Of every instance that it is about; how many there are.
  std::uint64_t Sample(const DoUse& use) {
    std::vector<InstanceId> instances;
    if (const ServiceState* service = engine_->view().FindService(use.service)) {
      for (const Instance& instance : service->instances) {
        const bool meant = !use.number || *use.number == instance.id.number;
        if (meant && instance.HoldsRoom()) instances.push_back(instance.id);
      }
    }
    for (const InstanceId& id : instances) {
      Resources usage = use.usage;
      for (const Resource r : kAllResources) {
        if (usage[r] < 0) continue;
        if (use.together) {
          const std::int64_t part = usage[r] / std::ssize(instances);
          usage[r] = std::min(part, engine_->view().Find(id)->limit[r]);
        }
        const UsagePoint point{executor_.now(), static_cast<double>(usage[r])};
        engine_->ObserveUsage(id, r, {&point, 1});
      }
      engine_->Observe(id, usage, executor_.now());
    }
    return instances.size();
  }

  Verdict Do(const DoRestart& /*restart*/) {
    for (const std::vector<Observation>& saved :
         {engine_->sizer().TakeChanged(SIZE_MAX), engine_->replicator().TakeChanged(SIZE_MAX)}) {
      for (const Observation& entry : saved) saved_[entry.key] = entry.value;
    }
    engine_.reset();
    if (const Status status = StartEngine(); !status.ok()) {
      return {.held = false, .happened = status.message()};
    }
    engine_->sizer().Restore(SavedBetween(Sizer::kStateFrom, Sizer::kStateTo));
    engine_->replicator().Restore(SavedBetween(Replicator::kStateFrom, Replicator::kStateTo));
    bridge_.Settle();
    return {.held = true, .happened = "ok"};
  }

  std::vector<Observation> SavedBetween(std::string_view from, std::string_view to) const {
    std::vector<Observation> entries;
    for (auto at = saved_.lower_bound(from); at != saved_.lower_bound(to); ++at) {
      entries.push_back({at->first, at->second});
    }
    return entries;
  }

  Verdict Do(const DoExpect& expect) {
    const auto found = expect.holds({.view = engine_->view(),
                                     .last = last_,
                                     .decisions = decisions_,
                                     .stats = engine_->stats(),
                                     .sizer = engine_->sizer(),
                                     .replicator = engine_->replicator()});
    return {.held = !found, .happened = found.value_or("ok")};
  }

  Verdict Do(const DoExplain& explain) {
    std::optional<Decision> decision = last_.decision;
    if (explain.decision) {
      Result<Decision> found = Status(Code::kInternal, "no answer came");
      bridge_.ReadDecision(*explain.decision, executor_,
                           [&](Result<Decision> answer) { found = std::move(answer); });
      bridge_.Settle();
      if (!found.ok()) return {.held = false, .happened = found.status().message()};
      decision = std::move(found).value();
    }
    if (!decision) return {.held = false, .happened = "there is no decision to explain"};
    return CheckContains(ExplainDecision(*decision), explain.contains);
  }

  Verdict Do(const DoWhyNot& why) {
    const ServiceState* state = engine_->view().FindService(why.service);
    const auto asked = asked_.find(why.service);
    if (state == nullptr && asked == asked_.end()) {
      return {.held = false, .happened = fmt::format("there is no service {}", why.service)};
    }
    const Service service = state != nullptr ? state->record : asked->second;
    const Result<WhyNot> found = engine_->AskWhyNot(service, why.number, why.machine);
    if (!found.ok()) return {.held = false, .happened = found.status().message()};
    const std::string instance =
        why.number ? ToString(InstanceId{why.service, *why.number}) : "one more of " + why.service;
    return CheckContains(ExplainWhyNot(found.value(), instance, why.machine), why.contains);
  }

  const Scenario& scenario_;
  Rng rng_;
  VirtualExecutor executor_;
  StoreBridge bridge_;
  std::optional<Engine> engine_;
  std::unique_ptr<Watch> watch_;
  Reply last_;
  std::map<std::string, Service> asked_;  // As they were asked for, refused ones too.
  std::map<std::string, std::string, std::less<>> saved_;  // At the last restarts.
  std::uint64_t decisions_ = 0;
  Digest digest_;
};

}  // namespace

Result<ScenarioResult> RunScenario(const Scenario& scenario, Store& store,
                                   const ScenarioOptions& options,
                                   const std::function<void(const StepOutcome&)>& on_step) {
  ScenarioRunner runner(scenario, store, options);
  BERTH_RETURN_IF_ERROR(runner.Start());
  ScenarioResult result;
  result.seed = options.seed;
  for (std::size_t at = 0; at < scenario.steps.size() && result.held;) {
    std::vector<StepOutcome> outcomes;
    at += runner.Run(at, outcomes);
    for (const StepOutcome& outcome : outcomes) {
      if (on_step) on_step(outcome);
      if (outcome.held || !result.held) continue;
      result.held = false;
      result.failure = fmt::format("{}:{}:1: '{}' does not hold: {}", scenario.file, outcome.line,
                                   outcome.text, outcome.happened);
    }
  }
  result.decisions = runner.decisions();
  result.unseed = runner.Unseed();
  return result;
}

}  // namespace berth
