// Learns from instances that end: what their samples say they took is fitted to a demand model,
// which joins those that estimates draw from. Models are kept with the samples.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "berth/executor.h"
#include "berth/store.h"
#include "fleet/inventory.h"
#include "oversub/learnt_models.h"
#include "serve/observer.h"

namespace berth {

// What an instance took, step by step from its creation to its end, by its samples: of a step the
// most, and what is not known is as before, at first as when it was first known. Of a resource that
// was never sampled its limit. None if nothing was. Of five minutes in which another instance of
// its name was sampled, too, nothing is known: which of both took the most cannot be told.
std::optional<DemandTrace> TraceOf(const Samples& samples, const Instance& instance, Time end);

class Learner {
 public:
  // A library with more in it than before, on the executor's thread.
  using Learnt = std::function<void(std::shared_ptr<const TraceLibrary>)>;

  // `models` are what it knows at the start. All others outlive it, and it is used on the
  // executor's thread only. What it learnt in the last minute may be lost with the process.
  Learner(Executor& executor, Observer& observer, std::unique_ptr<LearntModels> models,
          Learnt learnt);
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Follows the log from here on.
  void Follow(Store& store, Revision from);
  void Stop() { watch_.reset(); }
  // There are samples of it; it is worth learning from when it ends.
  void Seen(const Instance& instance);

  std::uint64_t learnt() const { return learnt_; }

 private:
  void OnEvent(const WatchEvent& event, Store& store);
  void OnUpdate(const Update& update, Time at);
  void LearnFrom(const Instance& instance, Time end);
  void PublishLater();
  void Publish();
  void SaveLater();

  Executor& executor_;
  Observer& observer_;
  struct Learning {
    std::unique_ptr<LearntModels> models;
    std::set<std::pair<std::string, TenantRole>> unsaved;  // Kinds that there is more of.
  };
  const std::shared_ptr<Learning> learning_;  // On the observer's thread.
  const Learnt told_;
  std::map<InstanceId, Instance> seen_;
  std::unique_ptr<Watch> watch_;
  bool publishes_ = false;
  std::uint64_t learnt_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // On the executor's thread.
};

// What was learnt before.
Result<std::unique_ptr<LearntModels>> RecallLearnt(const Observations& observations,
                                                   std::shared_ptr<const TraceLibrary> given);

}  // namespace berth
