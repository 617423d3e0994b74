#include "scale/space/scaling_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"
#include "scale/scaler.h"

namespace berth {
namespace {

using PlanJson = nlohmann::ordered_json;

constexpr std::uint64_t kStoredNodesMax = 10'000'000;

PlanJson CountsInJson(const InstanceCounts& counts, const ScaledApplication& application) {
  PlanJson json = PlanJson::object();
  for (std::size_t s = 0; s < counts.size(); ++s) json[application.services[s].name] = counts[s];
  return json;
}

PlanJson NodesInJson(const std::vector<VmGroup>& nodes, const ScaledApplication& application) {
  PlanJson list = PlanJson::array();
  for (const VmGroup& group : nodes) {
    list.push_back({{"type", application.types[group.type].FullName()},
                    {"count", group.count},
                    {"instances", CountsInJson(group.instances, application)}});
  }
  return list;
}

PlanJson StateInJson(const PlannedState& state, const ScaledApplication& application) {
  return {{"at_us", ToMicros(state.at)},
          {"instances", CountsInJson(state.instances, application)},
          {"low", CountsInJson(state.low, application)},
          {"high", CountsInJson(state.high, application)},
          {"nodes", NodesInJson(state.nodes, application)},
          {"why", state.why}};
}

class PlanReader {
 public:
  explicit PlanReader(const ScaledApplication& application) : application_(application) {}

  Result<ScalingPlan> Read(const Node& node) const {
    Fields fields(node);
    ScalingPlan plan{.made = TimeFromMicros(fields.Integer("made_us"))};
    const std::vector<Node> states = fields.Items("states");
    for (const Node& note : fields.OptionalItems("notes")) {
      const auto text = note.Text();
      fields.Check(text.status());
      if (text.ok()) plan.notes.emplace_back(text.value());
    }
    BERTH_RETURN_IF_ERROR(fields.Finish());
    if (states.size() > kStoredStatesMax) {
      return node.Error(
          fmt::format("has too many states; a plan has at most {}", FormatCount(kStoredStatesMax)));
    }
    plan.states.reserve(states.size());
    for (const Node& item : states) {
      BERTH_TRY(PlannedState state, ReadState(item));
      if (!plan.states.empty() && state.at < plan.states.back().at) {
        return item.Error("is before the state before it; sort them by at_us");
      }
      plan.states.push_back(std::move(state));
    }
    return plan;
  }

 private:
  Result<PlannedState> ReadState(const Node& node) const {
    Fields fields(node);
    PlannedState state{.at = TimeFromMicros(fields.Integer("at_us"))};
    state.why = fields.Text("why", "");
    const auto instances = fields.Required("instances");
    const auto low = fields.Optional("low");
    const auto high = fields.Optional("high");
    const std::vector<Node> nodes = fields.OptionalItems("nodes");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    BERTH_TRY(state.instances, ReadCounts(*instances));
    if (low) {
      BERTH_TRY(state.low, ReadBoundCounts(*low));
    }
    if (high) {
      BERTH_TRY(state.high, ReadBoundCounts(*high));
    }
    for (const Node& item : nodes) {
      BERTH_TRY(VmGroup group, ReadGroup(item));
      state.nodes.push_back(std::move(group));
    }
    return state;
  }

  // All services, each once: maps have no key twice.
  Result<InstanceCounts> ReadCounts(const Node& node) const {
    InstanceCounts counts(application_.services.size(), 0);
    BERTH_TRY(const std::vector<KeyedNode> entries, node.Entries());
    for (const KeyedNode& entry : entries) {
      const auto found = std::ranges::find(application_.services, entry.key, &ScaledService::name);
      if (found == application_.services.end()) {
        return entry.value.KeyError(
            fmt::format("{} is no service of the application; plan again", Quoted(entry.key)));
      }
      BERTH_TRY(counts[static_cast<std::size_t>(found - application_.services.begin())],
                entry.value.Integer<std::uint32_t>({.min = 0, .max = 2 * kReplicasMax}));
    }
    if (entries.size() != counts.size()) {
      return node.Error("does not have all services of the application; plan again");
    }
    return counts;
  }

  // Empty where nothing is foreseen.
  Result<InstanceCounts> ReadBoundCounts(const Node& node) const {
    BERTH_TRY(const std::vector<KeyedNode> entries, node.Entries());
    if (entries.empty()) return InstanceCounts{};
    return ReadCounts(node);
  }

  Result<VmGroup> ReadGroup(const Node& node) const {
    Fields fields(node);
    const std::string name = fields.Text("type");
    VmGroup group{.count =
                      fields.Integer<std::uint64_t>("count", {.min = 1, .max = kStoredNodesMax})};
    const auto instances = fields.Required("instances");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    const auto found = std::ranges::find(application_.types, name, &VmType::FullName);
    if (found == application_.types.end()) {
      return node.Error(fmt::format(
          "is of {}, which is no node type of the application; plan again", Quoted(name)));
    }
    group.type = static_cast<std::size_t>(found - application_.types.begin());
    BERTH_TRY(group.instances, ReadCounts(*instances));
    return group;
  }

  const ScaledApplication& application_;
};

}  // namespace

std::string PlanToJson(const ScalingPlan& plan, const ScaledApplication& application) {
  PlanJson states = PlanJson::array();
  for (const PlannedState& state : plan.states) states.push_back(StateInJson(state, application));
  const PlanJson json = {
      {"made_us", ToMicros(plan.made)}, {"states", std::move(states)}, {"notes", plan.notes}};
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<ScalingPlan> PlanFromJson(std::string_view text, const std::string& file_name,
                                 const ScaledApplication& application) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  return PlanReader(application).Read(document.root());
}

std::string NodesInWords(const std::vector<VmGroup>& nodes, const ScaledApplication& application) {
  std::vector<std::uint64_t> counts(application.types.size(), 0);
  for (const VmGroup& group : nodes) counts[group.type] += group.count;
  std::string words;
  for (std::size_t t = 0; t < counts.size(); ++t) {
    if (counts[t] == 0) continue;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", counts[t],
                         application.types[t].FullName());
  }
  return words;
}

const PlannedState* StateDueBy(const ScalingPlan& plan, Time at) {
  const auto after = std::ranges::upper_bound(plan.states, at, {}, &PlannedState::at);
  return after == plan.states.begin() ? nullptr : &*std::prev(after);
}

}  // namespace berth
