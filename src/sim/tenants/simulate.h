// One rehearsal of an over-subscribed cluster: tenants come and go in steps of ten minutes, their
// demands follow their traces, and one technique places and moves them (section 8.3 of the tenant
// placement paper).
//
// A step: who has lived his time leaves; the technique may re-pack; demands change; from every node
// in violation the smallest tenants are moved until it is none; newcomers are admitted until the
// cores promised are the given multiple of the cores there are. The first step only admits. Who
// comes depends on the seed alone, so all techniques place the same sequence.
//
// With domains whole tenants come (section 8.2): a primary and its secondaries (replica_sets.h), no
// two on one node, in one fault domain or in one update domain. They are placed all or not at all
// and leave together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/tenants/cluster.h"
#include "sim/tenants/technique_name.h"
#include "sim/tenants/tenant_population.h"

namespace berth {

struct TenantSimulation {
  NodeSpec spec = NodeSpec1();
  std::uint32_t nodes = 40;
  NodeDomains domains = {};  // None: replicas come one by one.
  // Cores promised over cores there are, in hundredths.
  std::uint32_t density_hundredths = 200;
  std::uint32_t hours = 300;
  std::uint64_t seed = 1;
};

struct TenantOutcome {
  // Nodes from which tenants were moved because a resource was short, once a step each.
  std::uint64_t violations = 0;
  // Nodes from which one should have been moved but fitted nowhere, once a step each.
  std::uint64_t unresolved = 0;
  PerResource<std::uint64_t> violations_of;  // By the resource; of several, perhaps.
  std::uint64_t failovers = 0;               // Replicas moved, for whatever reason.
  std::uint64_t failovers_for_room = 0;      // Of them, so that a newcomer fits,
  std::uint64_t failovers_to_repack = 0;     // and because the technique re-packs.
  std::uint64_t moved_mib = 0;               // Of disk: what is copied when one is moved.
  // Tenants that came, each counted once with all its replicas, and those of which a replica fitted
  // nowhere.
  std::uint64_t placed = 0;
  std::uint64_t refused = 0;
  double tenants_mean = 0;  // Replicas on a node.
  std::vector<std::uint32_t> violations_by_hour;
  std::uint64_t unseed = 0;  // A digest of who was put where.

  friend bool operator==(const TenantOutcome&, const TenantOutcome&) = default;
};

TenantOutcome SimulateTenants(const TenantPopulation& population, const TechniqueName& technique,
                              const TenantSimulation& options);

}  // namespace berth
