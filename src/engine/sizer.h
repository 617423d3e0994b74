// Limits by what is used: gathers the usage of every service, has recommenders say how large its
// instances should be, and where the policy wants it, sees to it that they are.
//
// Samples are gathered by service and instance type into windows of five minutes, which close a
// minute after their end. Then the recommenders are told, and a service in `auto` whose limit lies
// outside what the one in force leaves open, or that exceeded it and should have more, is resized:
// in place where it fits, else by moving, as for every resize. A kill for want of memory is told at
// once. It is one process at a time that resizes, by lease, and the ledger of disruption may put it
// off. A limit that falls can wait: a service is watched for a day before.
//
// What is known of a service outlives it: who comes back with the same name, tenant and type goes
// on where it ended.
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
#include "rightsize/followed_usage.h"
#include "rightsize/live_program.h"
#include "rightsize/policy.h"
#include "rightsize/similar.h"
#include "store/observations.h"

namespace berth {

// Instances killed for want of memory at one moment.
struct MemoryKill {
  Time at;
  std::int64_t limit = 0;  // Of memory, that they had.
  std::uint32_t count = 0;
  friend bool operator==(const MemoryKill&, const MemoryKill&) = default;
};

// What is recommended for the instances of one type of a service, of one resource.
struct LiveRecommendation {
  std::string service;
  TypeId type;
  Resource resource = Resource::kCpu;
  std::int64_t now = 0;    // The limit in force; of several, the most.
  SizeAdvice advice = {};  // Within its bounds.
  SizingMode mode = SizingMode::kDryRun;
  std::string recommender = {};
  std::string why = {};  // One sentence; what bounds changed follows it.
  struct Other {
    std::string recommender;
    std::int64_t target = 0;
  };
  std::vector<Other> others = {};  // Beside the one in force.
  std::string held_back = {};      // Why it is not so, where the mode would have it.
  std::uint64_t out_of_memory = 0;
  std::vector<MemoryKill> kills = {};  // The last of them.
  std::string arm = {};                // Of the roll-out; empty: there is none.
  std::int64_t used = 0;               // On average in the last window.
};

// Both resources of a type are on one page, so that it may hold one more.
struct RecommendationPage {
  std::vector<LiveRecommendation> items;  // By service, type and resource.
  bool more = false;
};

class Sizer {
 public:
  // Samples may come so long after the end of their window.
  static constexpr Duration kGrace = std::chrono::minutes(1);
  // A limit falls only after so long a look.
  static constexpr Duration kWatchedFor = std::chrono::hours(24);
  // A kill is remembered for a day for each that there was, up to so long.
  static constexpr Duration kKillRemembered = std::chrono::hours(24);
  static constexpr Duration kKillRememberedMax = std::chrono::hours(24 * 14);
  // After a resize was refused.
  static constexpr Duration kTryAgainAfter = std::chrono::hours(1);
  // So many of the last kills of a service are kept with their times.
  static constexpr std::size_t kKillsKept = 64;
  // Services times types; what comes after them is not followed.
  static constexpr std::size_t kFollowedMax = 20'000;
  // Who is gone and did not come back for so long is forgotten.
  static constexpr Duration kRemembered = kObservationsKept;

  struct Means {
    Executor& executor;
    const Inventory& view;
    DisruptionGate& gate;
    std::function<void(Request, ReplyDone)> submit;
    // The bounds of the cpu of a service's instances of a type, beside what counts them.
    std::function<SizeBounds(const std::string& service, TypeId type, const SizeBounds& cpu)>
        beside_scaler;
    LivePrograms* programs = nullptr;  // Null: none is asked.
  };
  Sizer(Means means, Store& store, std::string holder);

  void SetPolicy(RightsizingPolicy policy);
  // The view is whole: at the start, and after it lost its way.
  void Begin();
  void OnCommit(const Committed& committed);
  void Observe(const InstanceId& instance, Resource resource, std::span<const UsagePoint> points);

  // What a new service's instances should begin with, where the mode is initial or auto and
  // something is known.
  std::vector<StartingLimit> StartingLimits(const Service& service) const;

  RecommendationPage Recommendations(const RecommendationQuery& query) const;

  struct Counts {
    std::uint64_t followed = 0;      // Services times types, now,
    std::uint64_t not_followed = 0;  // and samples of those that are too many.
    std::uint64_t samples = 0;
    std::uint64_t late = 0;           // Samples that came after their window was closed,
    std::uint64_t out_of_memory = 0;  // kills that recommenders were told of,
    std::uint64_t resizes = 0;        // and what came of it.
    std::uint64_t refused = 0;
    std::uint64_t held_back = 0;
  };
  Counts counts() const;
  struct Slack {
    Resources limits;  // Of all instances whose usage is followed,
    Resources used;    // and what they used on average in the last window.
  };
  Slack slack() const;

  struct Rollout {
    SizingRollout rollout;
    RolloutState state;
    std::string control;  // The recommender of the rest.
    std::uint64_t candidate_services = 0;
    std::uint64_t control_services = 0;
  };
  // None: nothing is rolled out.
  std::optional<Rollout> rollout() const;

  // What changed since it was taken the last time, of so many services; empty: nothing did.
  std::vector<Observation> TakeChanged(std::size_t most);
  // The keys that TakeChanged gives lie between these.
  static constexpr std::string_view kStateFrom = "sizing/";
  static constexpr std::string_view kStateTo = "sizing0";
  // What was taken, by this process or by one before it. Of services that are followed already it
  // replaces what is known. Entries that are none are left out, and counted.
  std::uint64_t Restore(std::span<const Observation> entries);

 private:
  struct Key {
    std::string service;
    TypeId type;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Followed {
    TenantId tenant;
    FollowedUsage cpu{Resource::kCpu};
    FollowedUsage memory{Resource::kMemory};
    std::map<std::uint32_t, std::uint32_t> kills;  // By instance, as far as they were told.
    std::uint64_t out_of_memory = 0;
    std::vector<MemoryKill> last_kills;
    std::int64_t killed_with = 0;  // Of memory, the last time, which counts until then.
    Time killed_until;
    Time seen;  // When something was last told of it.
    // Instances that exceeded their limit of a resource since the last close, and in the window
    // before that.
    using Above = std::set<std::pair<Resource, std::uint32_t>>;
    Above above;
    Above lately_above;
    Time held_until;
    std::string held_because;
    std::uint64_t policy = 0;  // The number of the policy that its recommenders are by.
    bool changed = false;      // Since it was saved.

    const FollowedUsage& of(Resource r) const { return r == Resource::kCpu ? cpu : memory; }
    bool Exceeded(Resource r) const {
      const auto at = lately_above.lower_bound({r, 0});
      return at != lately_above.end() && at->first == r;
    }
    FollowedUsage& of(Resource r) { return r == Resource::kCpu ? cpu : memory; }
  };
  using FollowedMap = std::map<Key, Followed>;

  // The limits in force of a service's instances of a type.
  struct InForce {
    Resources limit;  // Of the latest,
    Resources most;   // and the most of each resource.
    ResourceTotals sum;
    std::uint32_t instances = 0;
    bool alike = true;
  };
  struct Wanted {
    Resources limit;
    std::string why;
  };

  Followed* Follow(const Key& key, const ServiceState& service);
  bool MakeRoom();
  void SetRecommenders(const Key& key, Followed& followed);
  void NoteKills(const Instance& instance, bool tell);
  void ForgetInstancesOf(const std::string& service);
  void OnAnswer(const std::string& service);
  void CloseLater();
  void CloseSome();
  void Close(const Key& key, Followed& followed);
  void EndPass();
  std::function<void()> WhileAlive(void (Sizer::*what)());

  void Consider(const Key& key, Followed& followed);
  void Act();
  void Next();
  void OnResized(const Key& key, const Reply& reply);

  SizingMode ModeOf(const Service& service, Time created) const;
  SizingMode ModeOf(const ServiceState& service) const;
  bool IsCandidate(const ServiceState& service) const;
  std::optional<InForce> InForceOf(const Key& key, const ServiceState& service) const;
  BoundedAdvice Bounded(const Key& key, const Followed& followed, const InForce& now, Resource r,
                        const SizeAdvice& advice) const;
  std::optional<Wanted> WantedFor(const Key& key, const Followed& followed) const;
  // Its limit need not be changed.
  static bool IsKept(const Followed& followed, const InForce& now, Resource r,
                     const SizeAdvice& advice);
  LiveRecommendation Describe(const Key& key, const Followed& followed, const ServiceState& service,
                              const InForce& now, Resource r) const;
  std::string HeldBack(const Followed& followed, Resource r, const InForce& now,
                       const BoundedAdvice& bounded) const;
  struct Start {
    SizeAdvice advice;
    std::string why;
  };
  std::optional<Start> StartFrom(const Key& key, const Followed& own, Resource r) const;
  StartingLimit StartOf(const Service& service, const InstanceType& type) const;
  void GatherSizes();
  void MeasureMachines();
  std::int64_t LargestFor(const InstanceType* type, Resource r) const;
  Status RestoreOne(const Observation& entry);

  Means means_;
  ProgramDesk desk_;
  ControllerLease lease_;
  RightsizingPolicy policy_;
  std::uint64_t policy_number_ = 0;
  RolloutState rollout_;
  bool rollout_changed_ = false;
  FollowedMap followed_;
  // Of services that were watched for a day, by type: what those like them begin with.
  struct KnownSizes {
    std::vector<KnownSize> cpu;
    std::vector<KnownSize> memory;
  };
  std::map<TypeId, KnownSizes> sizes_;
  bool full_ = false;                   // There was no room for another since the last pass.
  std::map<SkuId, Resources> largest_;  // By sku: the most that a machine has of each resource.
  bool begun_ = false;

  bool closing_ = false;        // A pass over all of them is set, or going on,
  bool more_to_close_ = false;  // after which there is something left to close.
  Time upto_;                   // Of the pass that goes on,
  std::optional<Key> after_;    // and how far it came.

  std::set<Key> due_;  // To be resized.
  bool busy_ = false;
  LeaseGuard guard_;
  Counts counts_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

// "497Mi: p98 of the load is 433Mi, +15%; cut from 497Mi to its most, 256Mi".
std::string WhyBounded(const Recommender& recommender, const BoundedAdvice& bounded);

inline constexpr Resource kSizedResources[] = {Resource::kCpu, Resource::kMemory};

}  // namespace berth
