// Plans ahead how many instances the applications of the policy are to have, and tells the engine.
//
// Whenever an application's autoscaler is to decide, it is told what samples say of its services
// and decides on the thread that ponders; the plan that it makes is kept, and whenever one of its
// states is due its counts are told to the engine's replicator, which sees to it that there are as
// many where the mode is auto. Plans, and what autoscalers learned, survive restarts.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "berth/engine.h"
#include "scale/application_policy.h"
#include "serve/observer.h"
#include "serve/sampled_metrics.h"
#include "store/observations.h"

namespace berth {

// How the plan of an application stands.
struct LivePlan {
  std::string application{};
  ScalingMode mode = ScalingMode::kDryRun;
  ScaledApplication scaled{};
  ScalingPlan plan{};     // The last that was made; `made` is the beginning of time if none was.
  std::string trouble{};  // Why none is made now; empty: one is.
};

class Planner {
 public:
  static constexpr Duration kLookEvery = std::chrono::seconds(5);
  static constexpr Duration kEnforceAgainAfter = std::chrono::minutes(1);
  // After an application could not be planned.
  static constexpr Duration kTryAgainAfter = std::chrono::minutes(1);

  struct Means {
    Executor& decides;
    Executor& ponders;
    Observer& observer;
    Engine& engine;
  };
  explicit Planner(const Means& means) : means_(means) {}

  // All on the thread that decides. `kept` is what was kept between these keys.
  void Start(std::span<const Observation> kept);
  static constexpr std::string_view kStateFrom = "plans/";
  static constexpr std::string_view kStateTo = "plans0";

  // By name of the application.
  std::vector<const LivePlan*> Plans() const;
  // Of the application that a service is of; null: it is of none.
  const LivePlan* PlanOf(std::string_view service) const;

  struct Counts {
    std::uint64_t applications = 0;
    std::uint64_t troubled = 0;  // Of them.
    std::uint64_t plans = 0;     // That were made.
  };
  Counts counts() const;

 private:
  struct Application : LivePlan {
    std::shared_ptr<const Document> document;  // That `policy` points into.
    PlannedApplication policy;
    std::vector<Resources> needs{};
    std::shared_ptr<Autoscaler> autoscaler{};  // While deciding it is the pondering thread's.
    std::string learned{};
    std::string remark{};  // For the next plan's notes.
    Time next{};           // When it decides again.
    Time enforced_at{};    // The last time.
    bool deciding = false;
  };
  // What an autoscaler is told.
  struct Situation {
    std::vector<Resources> needs;
    DeploymentState state;
    std::vector<SampledService> services;
  };
  struct Decided {
    Time at;
    ScalingPlan plan;
    std::string learned;
  };

  void LookLater();
  void Look();
  void Reload();
  std::shared_ptr<Application> Begun(const PlannedApplication& policy,
                                     const std::shared_ptr<const Document>& document);
  Result<Situation> SituationOf(const Application& application) const;
  Status PutAutoscaler(Application& application, const std::vector<Resources>& needs) const;
  void Decide(const std::shared_ptr<Application>& application);
  void OnDecided(Application& application, Decided decided);
  bool IsToEnforce(const Application& application) const;
  void Enforce(Application& application);

  const Means means_;
  std::map<std::string, std::string> kept_;  // Of a process before, by key.
  std::string policy_;                       // The text that they are of.
  std::map<std::string, std::shared_ptr<Application>> applications_;
  std::uint64_t plans_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
