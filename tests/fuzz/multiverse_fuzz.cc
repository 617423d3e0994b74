// Whatever bytes a file of a Multiverse experiment holds, it is read or refused with an error that
// names the file and the place; a set that is read has every index within its bounds.
#include <string>

#include "appsim/multiverse/read_set.h"
#include "berth/check.h"
#include "fuzz/target.h"

namespace {

using berth::Document;
using berth::Result;
using berth::multiverse::SetDocuments;
using berth::multiverse::SimulationSet;

constexpr std::string_view kFile = "fuzz.json";

// The smallest set: every file in turn is replaced by the input.
struct Part {
  std::string_view key;
  std::string_view text;
};
constexpr Part kSmallest[] = {
    {"application_model",
     R"({"utilization_metrics_conf": {"averaging_interval": {"value": 50, "unit": "ms"},
         "sampling_interval": {"value": 50, "unit": "ms"}},
         "services": [{"name": "front", "buffers_config": {"discipline": "FIFO"},
                       "system_requirements": {"limits": 1}, "next": [], "prev": []}],
         "requests": [{"request_type": "order", "entry_service": "front",
           "processing_times": {"unit": "ms",
             "values": [{"service": "front", "upstream": 1, "downstream": 1}]},
           "timeout": {"value": 1, "unit": "s"}, "request_size": {"mean": 1},
           "response_size": {"mean": 1}, "processing_requirements": {}}]})"},
    {"platform_model",
     R"([{"provider": "cloud", "node_types": [{"type": "small", "vCPU": 1,
          "memory": {"value": 1}, "disk": {"value": 1}, "network_bandwidth": {"value": 1},
          "price": 1}]}])"},
    {"scaling_model", R"({"platform": [], "application": {"services": []}})"},
    {"deployment_model",
     R"([{"service_name": "front", "deployment": {"eu": {"init_aspects": {"count": 1},
          "platform": {"provider": "cloud", "node_type": "small", "count": 1}}}}])"},
    {"load_model", R"({"load_kind": "leveled", "regions_configs": []})"},
    {"scaling_policy",
     R"({"policy": {"sync_period": {"value": 1, "unit": "s"}}, "application": {"services": []}})"},
    {"adjustment_policy",
     R"({"adjustment_goal": "cost_minimization", "optimizer_type": "OptimizerScoreMaximizer",
         "adjustment_horizon": {"value": 1, "unit": "m"}, "placement_hint": "shared",
         "combiner": {"type": "windowed", "conf": {"resolution": {"value": 1, "unit": "s"}}}})"},
    {"fault_model", "{}"},
};

void CheckIndexes(const SimulationSet& set) {
  const std::size_t services = set.application.services.size();
  for (const auto& service : set.application.services) {
    for (const std::size_t next : service.next) BERTH_CHECK(next < services);
    BERTH_CHECK(service.capacity.size() == set.application.requests.size());
  }
  for (const auto& request : set.application.requests) {
    BERTH_CHECK(request.entry < services && request.times.size() == services);
  }
  for (const auto& group : set.deployment) {
    BERTH_CHECK(group.service < services && group.region < set.regions.size());
    BERTH_CHECK(group.node_type < set.node_types.size());
  }
  BERTH_CHECK(set.policy.services.size() == services);
  BERTH_CHECK(set.load.patterns.size() == set.regions.size());
}

void ReadAs(std::string_view key, const std::string& input) {
  SetDocuments documents;
  for (const Part& part : kSmallest) {
    const bool own = part.key == key;
    Result<Document> document =
        berth::ParseDocument(own ? std::string_view(input) : part.text,
                             own ? std::string(kFile) : std::string(part.key));
    if (!document.ok()) {
      BERTH_CHECK(own && document.status().message().starts_with(kFile));
      return;
    }
    documents.documents.emplace_back(std::string(part.key), std::move(document).value());
  }
  const Result<SimulationSet> set = berth::multiverse::ReadSimulationSet(documents);
  if (set.ok()) {
    CheckIndexes(set.value());
    return;
  }
  // Another file may miss what the input took away.
  BERTH_CHECK(set.status().message().find(":") != std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(data, data + size);
  for (const Part& part : kSmallest) ReadAs(part.key, input);
  return 0;
}
