#include "allocate/policy.h"

namespace berth {

std::string_view ShippedPolicy() {
  return R"(# The policy in force when none is given: fill machines well, keep rules few.
name: shipped
allocate:
  clusters: 8            # Look at machines of so many suitable clusters before choosing.
  retries: 20            # Decide again so often when others were faster.
  rules:
    - healthy            # Only machines that are ready;
    - supports           # whose SKU and labels suit the type and the service;
    - fits               # with room for it;
    - isolates           # not kept by an isolated tenant;
    - colocates          # in the same row, cluster or datacenter as the rest of the service;
    - at_most_per_rack   # without crowding a rack
    - at_most_per_machine  # or a machine with one service.
    - best_fit: {buckets: 10, weights: {cpu: 1, memory: 1}}  # Then those left with the least room.
)";
}

}  // namespace berth
