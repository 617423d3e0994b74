#include "sim/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "allocate/foresee.h"
#include "base/virtual_executor.h"
#include "engine/policy.h"
#include "fleet/judge.h"
#include "sim/replay_start.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Nobody asks a replay for old decisions, so only enough of the log is kept for agents to follow.
constexpr LogRetention kReplayLog{.age = std::chrono::hours(24 * 365 * 100), .revisions = 10'000};
constexpr std::size_t kSamplesMax = 500;
constexpr std::string_view kAgentName = "a";
constexpr std::string_view kFirstAgent = "a0";

// What an action needs to be there; otherwise it is moot.
struct StillMakesSense {
  const Inventory& view;

  bool Has(const std::string& service) const { return view.FindService(service) != nullptr; }
  bool HasRoom(const InstanceId& id) const {
    const Instance* instance = view.Find(id);
    return instance != nullptr && instance->HoldsRoom();
  }
  bool operator()(const CreateService& a) const { return !Has(a.service.name); }
  bool operator()(const ScaleService& a) const { return Has(a.service); }
  bool operator()(const ResizeService& a) const {
    const ServiceState* service = view.FindService(a.service);
    return service != nullptr && std::ranges::any_of(service->instances, [&](const Instance& i) {
             return i.type == a.type && i.state != InstanceState::kEnded;
           });
  }
  bool operator()(const DeleteService& a) const { return Has(a.service); }
  bool operator()(const PlacePending& a) const { return Has(a.service); }
  bool operator()(const MoveInstance& a) const {
    return HasRoom(a.instance) && (a.to.empty() || view.Find(a.to) != nullptr);
  }
  bool operator()(const SeatPending& a) const { return Has(a.service); }
  bool operator()(const SuspendInstance& a) const { return HasRoom(a.instance); }
  bool operator()(const ReportInstance& a) const { return HasRoom(a.instance); }
  bool operator()(const SetHealth& a) const { return view.Find(a.machine) != nullptr; }
  bool operator()(const ChangeFleet& a) const {
    return std::ranges::all_of(a.remove, [&](const RecordKey& key) { return view.Has(key); });
  }
  bool operator()(const ApplyPolicy& /*a*/) const { return true; }
};

class Replay {
 public:
  Replay(const RecordedRequests& recorded, Inventory start, Time begin, bool own_policy)
      : recorded_(recorded),
        own_policy_(own_policy),
        next_number_(NextNumber(start)),
        executor_(begin),
        store_(kReplayLog, std::move(start)),
        engine_(store_, executor_, {.agents = 1, .name = std::string(kAgentName)}) {}

  Result<ReplayRun> Run(const std::function<void(std::uint64_t)>& progress) {
    Status started = Status(Code::kInternal, "the engine did not start");
    engine_.Start([&](Status status) { started = std::move(status); });
    Settle();
    BERTH_RETURN_IF_ERROR(started);
    const std::size_t every = recorded_.requests.size() / kSamplesMax + 1;
    for (const RecordedRequest& request : recorded_.requests) {
      executor_.RunUntil(request.at);
      run_.outcomes.push_back(Ask(request));
      if (run_.outcomes.size() % every == 0 || run_.outcomes.size() == recorded_.requests.size()) {
        Sample();
        if (progress) progress(run_.outcomes.size());
      }
    }
    run_.engine = engine_.stats();
    run_.end = engine_.view();
    return std::move(run_);
  }

 private:
  static std::uint64_t NextNumber(const Inventory& start) {
    const auto last = start.decisions().find(kFirstAgent);
    return last == start.decisions().end() ? 1 : last->second + 1;
  }

  // Until all that follows from the last request has happened.
  void Settle() { executor_.RunUntil(executor_.now()); }

  ReplayOutcome Ask(const RecordedRequest& request) {
    if (const auto* loaded = std::get_if<Loaded>(&request.what)) return Load(*loaded);
    const Action& action = std::get<Action>(request.what);
    if (own_policy_ && std::holds_alternative<ApplyPolicy>(action)) return {};
    if (!std::visit(StillMakesSense{engine_.view()}, action)) return {};
    CatchUpTo(request.number);
    return ToOutcome(Submit({.what = action}));
  }

  // A decision's draws are seeded by its number, so the same request gets the same number. Numbers
  // that others had (those refused, whose asks are unknown) are used up by changes of nothing.
  void CatchUpTo(const DecisionId& id) {
    if (id.agent != kFirstAgent) return;
    while (next_number_ < id.sequence) {
      const std::uint64_t before = next_number_;
      Submit({.what = ChangeFleet{}});
      if (next_number_ == before) return;
    }
  }

  Reply Submit(Request request) {
    Reply answer;
    engine_.Submit(std::move(request), [&](Reply reply) { answer = std::move(reply); });
    Settle();
    // A report takes a number too, and so does what the engine then does of its own accord.
    if (answer.status.ok() && !answer.decision) ++next_number_;
    next_number_ = std::max(next_number_, NextNumber(engine_.view()));
    return answer;
  }

  ReplayOutcome Load(const Loaded& loaded) {
    ChangeSet change;
    change.at = executor_.now();
    change.seen = engine_.view().revision();
    for (const Operation& operation : loaded.operations) {
      const auto* put = std::get_if<Put>(&operation);
      const bool policy = put != nullptr && std::holds_alternative<PolicyText>(put->record);
      if (!policy || !own_policy_) change.operations.push_back(operation);
    }
    ReplayOutcome outcome{.answer = ReplayAnswer::kAccepted};
    store_.Commit(std::move(change), executor_, [&](const CommitReply& reply) {
      if (reply.outcome == CommitReply::Outcome::kCommitted) return;
      outcome = {.answer = ReplayAnswer::kRefused,
                 .rule = reply.violation ? reply.violation->rule.str() : "invalid",
                 .because = reply.violation ? reply.violation->because : reply.status.message()};
    });
    Settle();
    return outcome;
  }

  static ReplayOutcome ToOutcome(const Reply& reply) {
    if (!reply.status.ok()) {
      return {
          .answer = ReplayAnswer::kRefused, .rule = "invalid", .because = reply.status.message()};
    }
    ReplayOutcome outcome{.answer = ReplayAnswer::kAccepted};
    if (!reply.decision) return outcome;
    outcome.placed = reply.decision->placed;
    if (!reply.decision->refusal) return outcome;
    outcome.answer = reply.accepted() ? ReplayAnswer::kWaits : ReplayAnswer::kRefused;
    outcome.rule = reply.decision->refusal->rule.str();
    outcome.because = reply.decision->refusal->because;
    return outcome;
  }

  void Sample() {
    run_.samples.push_back({.at = executor_.now(), .packing = MeasurePacking(engine_.view())});
  }

  const RecordedRequests& recorded_;
  const bool own_policy_;      // Changes of policy in the log do not concern it.
  std::uint64_t next_number_;  // Of the first agent's next decision.
  VirtualExecutor executor_;
  MemoryStore store_;
  Engine engine_;
  ReplayRun run_;
};

// The fleet that the log begins with, under another policy.
Status PutPolicy(const std::string& text, Inventory& fleet) {
  const ChangeSet change{
      .operations = {Put{PolicyText{text}}}, .seen = fleet.revision(), .at = {}, .guard = {}};
  Judgement judgement = Judge(fleet, change, change.at);
  if (judgement.violation) return Status(Code::kFailedPrecondition, judgement.violation->because);
  for (const Update& update : judgement.updates) fleet.Install(update);
  return {};
}

template <typename Get>
double MeanOf(const std::vector<ReplaySample>& samples, Get get) {
  double sum = 0;
  for (const ReplaySample& sample : samples) sum += get(sample.packing);
  return samples.empty() ? 0 : sum / static_cast<double>(samples.size());
}

}  // namespace

std::string_view ToString(ReplayAnswer answer) {
  switch (answer) {
    case ReplayAnswer::kAccepted:
      return "accepted";
    case ReplayAnswer::kWaits:
      return "waits";
    case ReplayAnswer::kRefused:
      return "refused";
    case ReplayAnswer::kMoot:
      return "moot";
  }
  return "";
}

double ReplayRun::MeanDensity() const {
  return MeanOf(samples, [](const PackingState& packing) { return packing.Density(); });
}
double ReplayRun::MeanUtilisation() const {
  return MeanOf(samples, [](const PackingState& packing) { return packing.Utilisation(); });
}

Result<ReplayComparison> ReplayUnderPolicy(const RecordedLog& log, const std::string& policy_text,
                                           const ReplayProgress& progress) {
  ReplayStart start = StartOf(log);
  ReplayComparison comparison;
  comparison.recorded = RequestsOf(log, start.fleet);
  const std::vector<RecordedRequest>& requests = comparison.recorded.requests;
  if (std::ranges::none_of(requests, IsAboutAService)) {
    return Status(Code::kFailedPrecondition,
                  "the log holds no request that could be asked again, only what was done to the "
                  "fleet or refused; let services come first");
  }
  comparison.from = log.commits.front()->revision;
  comparison.from_time = log.commits.front()->at;
  comparison.until = log.commits.back()->at;
  comparison.whole = log.whole();
  comparison.forgotten_services = start.forgotten_services;
  comparison.forgotten_instances = start.forgotten_instances;
  Inventory otherwise = start.fleet;
  BERTH_RETURN_IF_ERROR(PutPolicy(policy_text, otherwise));
  const std::uint64_t all = 2 * requests.size();
  const auto told = [&](std::uint64_t offset) {
    return [&progress, all, offset](std::uint64_t done) {
      if (progress) progress(offset + done, all);
    };
  };
  const Time begin = comparison.from_time;
  BERTH_TRY(comparison.control,
            Replay(comparison.recorded, std::move(start.fleet), begin, false).Run(told(0)));
  BERTH_TRY(
      comparison.other,
      Replay(comparison.recorded, std::move(otherwise), begin, true).Run(told(requests.size())));
  for (const Inventory* end : {&comparison.control.end, &comparison.other.end}) {
    BERTH_TRY(const AllocatePolicy policy, PolicyInForce(*end));
    comparison.looks_ahead = comparison.looks_ahead || LooksAhead(policy);
  }
  return comparison;
}

}  // namespace berth
