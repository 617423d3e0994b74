// What one batch of samples says that instances take: of each resource the latest, and the most.
#pragma once

#include <map>
#include <span>
#include <utility>

#include "berth/engine.h"

namespace berth {

class ToldUsage {
 public:
  // Of a resource that nothing was told of, both are less than nothing.
  struct Told {
    Resources latest = NothingObserved();
    Resources most = NothingObserved();
  };

  // What was taken before the instance was created is of another that had its name.
  void Add(const Instance& instance, Resource resource, std::span<const UsagePoint> points);
  // By instance and when the latest is of: meters of one resource may be behind those of another.
  const std::map<std::pair<InstanceId, Time>, Told>& all() const { return told_; }

 private:
  std::map<std::pair<InstanceId, Time>, Told> told_;
};

}  // namespace berth
