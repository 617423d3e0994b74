// A way to choose nodes for tenants, as the rehearsal of an over-subscribed cluster asks it.
//
// To add one, write techniques/NAME.cc with its factory, and name both in techniques.def.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "oversub/demand_trace.h"
#include "sim/tenants/numbers.h"

namespace berth {

struct ClusterTenant;
struct TenantKind;
class TenantCluster;
class TraceLibrary;

class Technique {
 public:
  virtual ~Technique() = default;

  // One of `fits`: ascending, at least one; kNoNode if none will do. The tenant is new and nowhere,
  // or is to be moved and still where it was, which is none of them.
  virtual NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) = 0;

  // What happens, for those who keep something of it. Those who depart have left before the step in
  // which they are no more there.
  virtual void Advance(Step /*now*/) {}
  virtual void Placed(const ClusterTenant& /*tenant*/) {}
  virtual void Left(const ClusterTenant& /*tenant*/, NodeIndex /*from*/) {}
  // More was seen of it than ever before.
  virtual void Exceeded(const ClusterTenant& /*tenant*/) {}

  // A tenant to be moved, and where it fits; asked at the beginning of a step until there is none.
  struct Move {
    TenantNumber tenant = 0;
    NodeIndex to = kNoNode;
  };
  virtual std::optional<Move> Repack() { return std::nullopt; }
  // A tenant to be moved because that node is violated, from there or from elsewhere; asked until
  // it is not, or there is none. Then the smallest of the node are moved.
  virtual std::optional<Move> Relieve(NodeIndex /*violated*/) { return std::nullopt; }
};

// What a technique may see. All of it outlives it.
struct TechniqueContext {
  const TenantCluster& cluster;
  const TraceLibrary& library;
  std::span<const TenantKind> kinds = {};  // By TenantClass.
  std::string_view policy = {};            // Its text, for the one that goes by one.
  std::uint64_t seed = 1;
};

struct TechniqueEntry {
  std::string_view name;
  std::string_view summary;
  bool estimates;  // Reads the probability of a violation.
  bool in_all;     // Is meant by `all`: it needs nothing more, and not much time.
  std::unique_ptr<Technique> (*make)(const TechniqueContext& context);
};
// In the order of techniques.def.
std::span<const TechniqueEntry> BuiltinTechniques();

}  // namespace berth
