// What the form of a service graph says about scaling it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "apptopo/service_graph.h"

namespace berth {

struct ServiceStructure {
  std::size_t fan_in = 0;    // Services that call it.
  std::size_t fan_out = 0;   // Services that it calls.
  std::size_t upstream = 0;  // Services whose requests reach it, through others too.
  std::size_t level = 0;     // Calls on the longest way to it; a cycle counts as one service.
  std::size_t group = 0;     // Of `groups`.
  bool bottleneck = false;   // One of `bottlenecks`.

  std::size_t degree() const { return fan_in + fan_out; }
};

struct TopologyStructure {
  std::vector<ServiceStructure> services;  // As those of the graph.
  // Services called by at least two, and by more than the mean of all and one standard deviation:
  // scaling those who call them is of no use while they do not scale. Most callers first, then most
  // upstream.
  std::vector<ServiceVertex> bottlenecks;
  // Services that get requests in a fixed proportion and so can be scaled together: each but the
  // first is called by one service only, which is in the group, or is in a cycle with one that is.
  // Every service is in one, perhaps alone. Largest first, then by their first service.
  std::vector<std::vector<ServiceVertex>> groups;
  // Services that call each other in a circle, by their first; each with its services in order.
  std::vector<std::vector<ServiceVertex>> cycles;
  std::size_t entries = 0;     // Services that nobody calls.
  std::size_t leaves = 0;      // Services that call nobody.
  std::size_t levels = 0;      // Services on the longest way.
  std::size_t components = 0;  // Parts without a call between them.
};

TopologyStructure StructureOf(const ServiceGraph& graph);

}  // namespace berth
