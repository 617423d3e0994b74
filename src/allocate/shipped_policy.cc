#include "allocate/policy.h"

namespace berth {
namespace {

constexpr std::string_view kShipped =
    R"(# The policy in force when none is given: fill machines well, keep rules few.
name: shipped
allocate:
  clusters: 8            # Look at machines of so many suitable clusters before choosing.
  retries: 20            # Decide again so often when others were faster.
  rules:
    - healthy            # Only machines that are ready;
    - supports           # whose SKU and labels suit the type and the service;
    - fits               # with room for it;
    - colocates          # in the same row, cluster or datacenter as the rest of the service;
    - at_most_per_rack   # without crowding a rack
    - at_most_per_update_domain  # or an update domain,
    - isolates           # joining an isolated tenant
    - at_most_per_machine  # or crowding a machine with one service;
    - quota              # within the tenant's quota.
    - best_fit: {buckets: 10, weights: {cpu: 1, memory: 1}}  # Then those left with the least room.
)";

constexpr std::string_view kProduction =
    R"(# For a large zone: room in every cluster, spread services, whole machines kept for those that
# need one, and several agents at work.
name: production
allocate:
  clusters: 8            # Look at machines of so many suitable clusters before choosing.
  retries: 20            # Decide again so often when others were faster.
  conflicts: {top: 100, window: 50}  # Choose among the 100 best as often as of 50 commits conflict.
  cache: {evaluations: 4096, rule_objects: 8192, age: 30m}  # What an agent keeps at most.
  rules:
    - healthy            # Only machines that are ready;
    - supports           # whose SKU and labels suit the type and the service;
    - fits               # with room for it;
    - instances_within: {most: 250}  # and not too many on them already;
    - colocates          # in the same row, cluster or datacenter as the rest of the service;
    - at_most_per_rack   # without crowding a rack,
    - at_most_per_update_domain  # an update domain,
    - isolates           # joining an isolated tenant,
    - at_most_per_machine  # crowding a machine with one service
    - quota              # or exceeding what the tenant may use.
    - service_clusters_first: {buckets: 1}  # Clusters where the service runs already,
    - emptier_clusters: {buckets: 8}  # then those with room, told apart in eighths,
    - usual_clusters_first: {buckets: 1000}  # and of these the ones that asks of this size look at.
    - likely_to_fail_last: {buckets: 4}  # Of their machines, those that are not expected to fail,
    - held_for_whole_last: {buckets: 1}  # not held for asks that take a whole one,
    - gpu_machines_last: {buckets: 1}  # without GPUs that others will want.
    - fewest_of_service_in_rack: {buckets: 50}  # Racks that hold the least of the service.
    - best_fit: {buckets: 3, weights: {cpu: 1, memory: 1}}  # Machines left with the least room,
    - nonempty_machines_first: {buckets: 1}  # in use already.
    - emptier_racks_first: {buckets: 4}  # Racks with more room,
    - fewest_of_service_on_machine: {buckets: 50}  # and machines that hold the least of the service.
)";

constexpr std::string_view kPrvBestFit =
    R"(# For over-subscribed machines: fill them well, but only where it is improbable that they will
# ever need more than they have (PrV-BestFit). Give the past's traces with --demand.
name: prv_best_fit
oversubscription: {cpu: 300%, memory: 200%, disk: 200%}  # Limits may sum to so much.
oversub:
  repetitions: 100       # An estimate is made of so many futures.
  threshold: {cpu: 95%, memory: 95%, disk: 95%}  # From here on a machine is violated.
  initial_percentile: 50  # Who was not observed yet is taken to use what so many of its kind do.
  epoch: 1h              # For so long newcomers alike are taken to need the same.
  held_out: {per_cluster: 0}  # None is kept free.
allocate:
  clusters: 8            # Look at machines of so many suitable clusters before choosing.
  retries: 20            # Decide again so often when others were faster.
  rules:
    - healthy            # Only machines that are ready;
    - supports           # whose SKU and labels suit the type and the service;
    - fits               # with room for what is promised, by the limits above;
    - colocates          # in the same row, cluster or datacenter as the rest of the service;
    - at_most_per_rack   # without crowding a rack
    - at_most_per_update_domain  # or an update domain,
    - isolates           # joining an isolated tenant
    - at_most_per_machine  # or crowding a machine with one service;
    - quota              # within the tenant's quota.
    - violation_probability: {theta: 0.01}  # Machines that will hardly ever need too much,
    - best_fit: {of: usage, weighting: max}  # and of these the ones most in use.
)";

constexpr std::string_view kPrvWorstFit =
    R"(# For over-subscribed machines: load them evenly, where it is improbable that they will ever need
# more than they have, and keep some free (PrV-WorstFit). Give the past's traces with --demand.
name: prv_worst_fit
oversubscription: {cpu: 300%, memory: 200%, disk: 200%}  # Limits may sum to so much.
oversub:
  repetitions: 100       # An estimate is made of so many futures.
  threshold: {cpu: 95%, memory: 95%, disk: 95%}  # From here on a machine is violated.
  initial_percentile: 50  # Who was not observed yet is taken to use what so many of its kind do.
  epoch: 1h              # For so long newcomers alike are taken to need the same.
  held_out: {per_cluster: 3, weighting: max}  # The least loaded are kept free.
allocate:
  clusters: 8            # Look at machines of so many suitable clusters before choosing.
  retries: 20            # Decide again so often when others were faster.
  rules:
    - healthy            # Only machines that are ready;
    - supports           # whose SKU and labels suit the type and the service;
    - fits               # with room for what is promised, by the limits above;
    - colocates          # in the same row, cluster or datacenter as the rest of the service;
    - at_most_per_rack   # without crowding a rack
    - at_most_per_update_domain  # or an update domain,
    - isolates           # joining an isolated tenant
    - at_most_per_machine  # or crowding a machine with one service;
    - quota              # within the tenant's quota.
    - violation_probability: {theta: 0.01}  # Machines that will hardly ever need too much,
    - held_out_machines: {theta: 0.01, buckets: 1}  # not kept free for those that find no other,
    - worst_fit: {of: usage, weighting: max}  # and of these the ones least in use.
)";

constexpr ShippedPolicyEntry kPolicies[] = {{"shipped", kShipped},
                                            {"production", kProduction},
                                            {"prv_best_fit", kPrvBestFit},
                                            {"prv_worst_fit", kPrvWorstFit}};

}  // namespace

std::span<const ShippedPolicyEntry> ShippedPolicies() { return kPolicies; }
std::string_view ShippedPolicy() { return kShipped; }

}  // namespace berth
