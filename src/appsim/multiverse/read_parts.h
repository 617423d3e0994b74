// The readers of single files, each from the document's root. What one file names of another is
// looked up, so they are read in this order.
#pragma once

#include <string_view>
#include <vector>

#include "appsim/multiverse/set.h"

namespace berth::multiverse {

Result<ApplicationSpec> ReadApplication(const Node& node);
Result<std::vector<NodeTypeSpec>> ReadPlatform(const Node& node);
// Boot and termination times: into the node types and the services.
Status ReadScalingModel(const Node& node, std::vector<NodeTypeSpec>& node_types,
                        ApplicationSpec& app);
// Also names the regions.
Status ReadDeployment(const Node& node, SimulationSet& set);
Result<LoadSpec> ReadLoad(const Node& node, const SimulationSet& set);
Result<ScalingPolicySpec> ReadScalingPolicy(const Node& node, const ApplicationSpec& app);
Result<AdjustmentSpec> ReadAdjustment(const Node& node);
Result<std::vector<FaultSpec>> ReadFaults(const Node& node, const SimulationSet& set);

// The errors name the place and what there is not.
Result<std::size_t> FindService(const Node& name, const ApplicationSpec& app);
Result<std::size_t> FindRequest(const Node& name, const ApplicationSpec& app);
Result<std::size_t> FindRegion(const Node& name, const SimulationSet& set);
Status CheckCount(const Node& list, std::size_t count, std::size_t most, std::string_view what);

}  // namespace berth::multiverse
