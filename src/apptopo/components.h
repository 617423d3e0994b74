// Which services of a graph reach each other.
#pragma once

#include <cstddef>
#include <vector>

#include "apptopo/service_graph.h"

namespace berth {

// Strongly connected components: each service's, numbered so that calls between different ones lead
// from a higher number to a lower.
struct StrongComponents {
  std::vector<std::size_t> of;
  std::size_t count = 0;
};
StrongComponents StrongComponentsOf(const ServiceGraph& graph);

// Sets that only ever grow together.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size);
  std::size_t Find(std::size_t item);  // The smallest item of its set.
  void Join(std::size_t a, std::size_t b);

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace berth
