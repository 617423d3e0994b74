// Counts by load: follows the load of every service, has scalers say how many replicas it should
// have, and where the policy wants it, sees to it that there are as many.
//
// The cpu of instances and the metrics of services are told as they are sampled. Every minute each
// service is looked at: its advisor is told what its replicas use, and a service in `auto` whose
// count differs is scaled. More replicas are placed as for every scaling: those of a class that may
// wait do so where there is no room, of others as many are added as find room. Who goes is chosen
// as for every scaling, too. It is one process at a time that scales, by lease, and the ledger of
// disruption may put off that replicas go. Where samples cease the count stays.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/engine.h"
#include "engine/controller_lease.h"
#include "engine/disruption_gate.h"
#include "engine/recommendation_query.h"
#include "rightsize/bounds.h"
#include "rightsize/live_program.h"
#include "scale/replica_advisor.h"
#include "scale/scaling_policy.h"
#include "store/observations.h"

namespace berth {

// How many replicas are recommended for a service.
struct LiveCount {
  std::string service;
  TypeId type;
  RoleId role;
  std::uint32_t replicas = 0;    // That there are to be now,
  std::uint32_t starting = 0;    // of them do not answer yet,
  std::uint32_t unmeasured = 0;  // and answer, but were not sampled of late.
  double cpu_milli = 0;          // Of all the others together.
  std::optional<std::uint32_t> count = {};
  ScalingMode mode = ScalingMode::kDryRun;
  std::string scaler = {};
  std::string why = {};        // One sentence; what smoothing and bounds changed follows it.
  std::string held_back = {};  // Why there are not as many, where the mode would have it.
};

struct CountPage {
  std::vector<LiveCount> items;  // By service and type.
  bool more = false;
};

class Replicator {
 public:
  static constexpr Duration kLookEvery = std::chrono::minutes(1);
  // So long a sample says what is used now: whoever measures every five minutes is heard.
  static constexpr Duration kFresh = std::chrono::minutes(6);
  // After scaling was refused or failed.
  static constexpr Duration kTryAgainAfter = std::chrono::minutes(5);
  // Services; what comes after them is not followed.
  static constexpr std::size_t kScaledMax = 20'000;
  // Metrics of a service that are kept, those that came first: more than an expression can name.
  static constexpr std::size_t kMetricsMax = 512;

  struct Means {
    Executor& executor;
    const Inventory& view;
    DisruptionGate& gate;
    std::function<void(Request, ReplyDone)> submit;
    LivePrograms* programs = nullptr;  // Null: none is asked.
  };
  Replicator(Means means, Store& store, std::string holder);

  void SetPolicy(ScalingPolicy policy);
  void OnCommit(const Committed& committed);
  void ObserveCpu(const InstanceId& instance, std::span<const UsagePoint> points);
  // Only metrics that its scaler has a use for are kept.
  void ObserveMetric(const std::string& service, std::string_view metric,
                     std::span<const UsagePoint> points);

  // Of a service that a plan counts: how many it wants now; none: it leaves everything as it is.
  void SetPlanned(const std::string& service, std::optional<CountAdvice> advice);

  // The bounds of the cpu of a service's instances of a type, beside what counts them.
  SizeBounds BoundsOfCpu(const std::string& service, TypeId type, const SizeBounds& cpu) const;

  CountPage Recommendations(const RecommendationQuery& query) const;

  struct Counts {
    std::uint64_t followed = 0;      // Services, now,
    std::uint64_t not_followed = 0;  // and samples of those that are too many.
    std::uint64_t samples = 0;
    std::uint64_t late = 0;  // Samples too old to say what is used now.
    std::uint64_t grown = 0;
    std::uint64_t shrunk = 0;
    std::uint64_t refused = 0;
    std::uint64_t held_back = 0;
    std::uint64_t replicas = 0;  // Of those for which a count is recommended,
    std::uint64_t wanted = 0;    // and the counts.
  };
  Counts counts() const;

  // What changed since it was taken the last time, of so many services; empty: nothing did.
  std::vector<Observation> TakeChanged(std::size_t most);
  // The keys that TakeChanged gives lie between these.
  static constexpr std::string_view kStateFrom = "scaling/";
  static constexpr std::string_view kStateTo = "scaling0";
  // What was taken, by this process or by one before it; it replaces what is known. Entries that
  // are none are left out, and counted.
  std::uint64_t Restore(std::span<const Observation> entries);

 private:
  // One thing that is measured: the mean since the last look, and before that.
  struct Sampled {
    Time at = Time::min();  // Of the latest sample.
    double value = 0;       // When it was last looked at.
    double sum = 0;         // Since then.
    std::uint64_t count = 0;

    bool Add(const UsagePoint& point);
    double Take();
  };
  struct Followed {
    TenantId tenant;
    TypeId type;
    RoleId role;
    std::optional<ReplicaAdvisor> advisor;
    std::optional<CountAdvice> planned;                 // Where there is no advisor.
    std::string state_key;                              // Of the settings that the advisor is by.
    std::string trouble;                                // Why there is none.
    std::map<std::uint32_t, Sampled, std::less<>> cpu;  // By instance.
    std::map<std::string, Sampled, std::less<>> metrics;
    ReplicaLoad seen;  // At the last look; without its metrics.
    // Until then it is not to grow, or not to shrink.
    Time held_until;
    bool held_growing = false;
    std::string held_because;
    bool changed = false;  // Since it was saved.
  };
  using FollowedMap = std::map<std::string, Followed, std::less<>>;

  ScalingMode ModeOf(const std::string& service) const { return policy_.Of(service).mode; }
  static const std::optional<CountAdvice>& AdviceOf(const Followed& followed) {
    return followed.advisor ? followed.advisor->advice() : followed.planned;
  }
  // The group whose count it is; none: nobody can say which.
  const InstanceGroup* GroupOf(const Service& service) const;
  Followed* Follow(const ServiceState& service);
  void SetAdvisor(const Service& service, Followed& followed) const;
  Result<ReplicaAdvisor> MakeAdvisor(const ServiceScaling& scaling,
                                     const std::string& service) const;
  // Adds what is new to what is kept under the name; false: nothing is.
  template <typename Name>
  bool TakePoints(std::span<const UsagePoint> points, const Name& name,
                  std::map<Name, Sampled, std::less<>>& kept);
  void LookLater();
  void LookAtSome();
  void LookAt(const ServiceState& service, Followed& followed);
  void OnAnswer(const std::string& service);
  ReplicaLoad LoadOf(const ServiceState& service, Followed& followed) const;
  static bool IsFresh(const Sampled& sampled, Time now) { return sampled.at + kFresh > now; }
  std::function<void()> WhileAlive(void (Replicator::*what)());

  // By how many it is to grow; nothing where it is as it should be, or is not to be changed now.
  std::optional<std::int64_t> GrowthOf(const std::string& name, const Followed& followed) const;
  std::uint32_t ReplicasOf(const ServiceState& service, const Followed& followed) const;
  void Consider(const std::string& name, const Followed& followed);
  void Act();
  void Next();
  void Scale(const std::string& name, const Followed& followed, std::int64_t growth,
             std::int64_t wanted);
  struct Asked {
    std::string service;
    std::int64_t growth = 0;
    std::int64_t wanted = 0;  // More than that, where there was no room for all.
  };
  void OnScaled(const Asked& asked, const Reply& reply);
  struct Holding {
    bool growing = false;
    Time until;
    std::string because;
  };
  static void Hold(Followed& followed, Holding hold);
  bool IsHeld(const Followed& followed, std::int64_t growth) const;
  LiveCount Describe(const std::string& name, const Followed& followed,
                     const ServiceState& service) const;
  struct SavedSample;
  struct SavedCount;
  static std::string Saved(const Followed& followed);
  Status RestoreOne(const Observation& entry);

  Means means_;
  ProgramDesk desk_;
  ControllerLease lease_;
  ScalingPolicy policy_;
  FollowedMap followed_;
  std::set<std::string> forgotten_;  // And still saved.

  bool looking_ = false;              // A look at all of them is set, or going on,
  bool again_ = false;                // after which there is another.
  std::optional<std::string> after_;  // How far it came.

  std::set<std::string> due_;  // To be scaled.
  bool busy_ = false;
  LeaseGuard guard_;
  Counts counts_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
