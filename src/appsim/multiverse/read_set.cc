#include "appsim/multiverse/read_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>

#include "appsim/multiverse/read_parts.h"
#include "base/text.h"
#include "base/timestamp.h"

namespace berth::multiverse {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 7> kParts = {
    "application_model", "load_model",     "platform_model",   "scaling_model",
    "deployment_model",  "scaling_policy", "adjustment_policy"};
constexpr std::string_view kFaultPart = "fault_model";

using Files = std::map<std::string, std::string>;  // By key.

Result<Files> ReadConfs(const fs::path& folder) {
  BERTH_TRY(const Document document, ReadDocument((folder / "confs.json").string()));
  Fields fields(document.root());
  Files files;
  const auto read = [&](std::string_view key) {
    const std::string name = fields.Text(key, "");
    if (!name.empty()) files[std::string(key)] = (folder / name).string();
  };
  for (const std::string_view key : kParts) read(key);
  read(kFaultPart);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return files;
}

Result<SimulationSet> ReadFiles(const Files& files, const std::string& confs) {
  SetDocuments documents;
  for (const std::string_view key : kParts) {
    const auto found = files.find(std::string(key));
    if (found == files.end()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{}: {}: is missing; name its file", confs, key));
    }
    BERTH_TRY(Document document, ReadDocument(found->second));
    documents.documents.emplace_back(std::string(key), std::move(document));
  }
  if (const auto found = files.find(std::string(kFaultPart)); found != files.end()) {
    BERTH_TRY(Document document, ReadDocument(found->second));
    documents.documents.emplace_back(std::string(kFaultPart), std::move(document));
  }
  return ReadSimulationSet(documents);
}

Result<Time> ReadStart(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  const std::optional<std::int64_t> seconds = ParseTimestamp(text);
  if (seconds && *seconds >= 0) return Time(std::chrono::seconds(*seconds));
  return node.Error(fmt::format("{} is no time; write 2020-09-17T10:00:00", Quoted(text)));
}

Status ReadRun(const Node& node, RunSpec& run) {
  Fields fields(node);
  run.start = ReadFieldOr<Time>(fields, "starting_time", ReadStart, Time());
  run.step = ReadField<Duration>(fields, "simulation_step", ReadPositiveLength);
  run.length = ReadField<Duration>(fields, "time_to_simulate", ReadPositiveLength);
  return fields.Finish();
}

struct Folders {
  fs::path constant;
  fs::path alternatives;
};

Result<Folders> ReadExperiment(const fs::path& folder, RunSpec& run) {
  BERTH_TRY(const Document document, ReadDocument((folder / "experiment.json").string()));
  Fields fields(document.root());
  Folders folders;
  if (const std::optional<Node> config = fields.Required("experiment_config")) {
    Fields parts(*config);
    if (parts.Text("regime") != "alternative_policies") {
      parts.Check(config->Error("the regime must be alternative_policies"));
    }
    run.repetitions = parts.Integer<std::uint32_t>("repetitions_count_per_simulation",
                                                   {.min = 1, .max = kSetCountMax}, 1);
    parts.Optional("keep_evaluated_configs");
    parts.Optional("results_folder");
    if (const std::optional<Node> regime = parts.Required("regime_config")) {
      Fields of_regime(*regime);
      folders.constant = folder / of_regime.Text("unchanged_configs_folder");
      folders.alternatives = folder / of_regime.Text("alternatives_folder");
      parts.Check(of_regime.Finish());
    }
    fields.Check(parts.Finish());
  }
  if (const std::optional<Node> simulation = fields.Required("simulation_config")) {
    fields.Check(ReadRun(*simulation, run));
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return folders;
}

Result<std::vector<fs::path>> FilesIn(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    entries.push_back(entry.path());
  }
  if (error) {
    return Status(Code::kNotFound,
                  fmt::format("{}: cannot be listed: {}", folder.string(), error.message()));
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

struct Choice {
  std::string key;
  std::vector<fs::path> files;
};

Result<std::vector<Choice>> ListChoices(const fs::path& folder, const std::string& policy_name) {
  BERTH_TRY(const std::vector<fs::path> keys, FilesIn(folder));
  std::vector<Choice> choices;
  for (const fs::path& key : keys) {
    Choice choice{.key = key.filename().string(), .files = {}};
    if (std::find(kParts.begin(), kParts.end(), choice.key) == kParts.end()) {
      return Status(Code::kInvalidArgument, fmt::format("{}: is no part of a simulation; use {}",
                                                        key.string(), fmt::join(kParts, ", ")));
    }
    BERTH_TRY(choice.files, FilesIn(key));
    if (choice.key == "scaling_policy" && !policy_name.empty()) {
      std::erase_if(choice.files,
                    [&](const fs::path& file) { return file.stem().string() != policy_name; });
    }
    if (choice.files.empty()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{}: has no alternative{}", key.string(),
                                policy_name.empty() ? "" : " of that name"));
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

Result<std::vector<Cell>> ReadCells(const fs::path& constant, const std::vector<Choice>& choices) {
  std::size_t count = 1;
  for (const Choice& choice : choices) {
    count *= choice.files.size();
    if (count > kSetAlternativesMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("the alternatives have more than {} combinations; use fewer",
                                FormatCount(kSetAlternativesMax)));
    }
  }
  BERTH_TRY(const Files unchanged, ReadConfs(constant));
  std::vector<Cell> cells;
  cells.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    Files files = unchanged;
    Cell cell;
    std::size_t rest = i;
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
      const fs::path& file = choice->files[rest % choice->files.size()];
      rest /= choice->files.size();
      files[choice->key] = file.string();
      cell.choices.emplace(cell.choices.begin(), choice->key, file.stem().string());
    }
    BERTH_TRY(cell.set, ReadFiles(files, (constant / "confs.json").string()));
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace

std::string CellName(const Cell& cell, const std::string& otherwise) {
  if (cell.choices.empty()) return otherwise;
  std::string name;
  for (const auto& [key, chosen] : cell.choices) {
    if (!name.empty()) name += ", ";
    name += chosen;
  }
  return name;
}

const Document* SetDocuments::Find(std::string_view key) const {
  for (const auto& [name, document] : documents) {
    if (name == key) return &document;
  }
  return nullptr;
}

Result<SimulationSet> ReadSimulationSet(const SetDocuments& documents) {
  const auto root = [&](std::string_view key) { return documents.Find(key)->root(); };
  SimulationSet set;
  BERTH_TRY(set.application, ReadApplication(root("application_model")));
  BERTH_TRY(set.node_types, ReadPlatform(root("platform_model")));
  BERTH_RETURN_IF_ERROR(ReadScalingModel(root("scaling_model"), set.node_types, set.application));
  BERTH_RETURN_IF_ERROR(ReadDeployment(root("deployment_model"), set));
  BERTH_TRY(set.load, ReadLoad(root("load_model"), set));
  BERTH_TRY(set.policy, ReadScalingPolicy(root("scaling_policy"), set.application));
  BERTH_TRY(set.adjustment, ReadAdjustment(root("adjustment_policy")));
  if (documents.Find(kFaultPart) != nullptr) {
    BERTH_TRY(set.faults, ReadFaults(root(kFaultPart), set));
  }
  return set;
}

Result<ExperimentFolder> ReadExperimentFolder(const std::string& folder,
                                              const std::string& policy_name) {
  ExperimentFolder experiment;
  std::error_code error;
  if (!fs::exists(fs::path(folder) / "experiment.json", error)) {
    if (!policy_name.empty()) {
      return Status(Code::kInvalidArgument, fmt::format("{}: has no alternatives to choose {} from",
                                                        folder, Quoted(policy_name)));
    }
    BERTH_TRY(const Files files, ReadConfs(folder));
    Cell cell;
    BERTH_TRY(cell.set, ReadFiles(files, (fs::path(folder) / "confs.json").string()));
    experiment.cells.push_back(std::move(cell));
    return experiment;
  }
  BERTH_TRY(const Folders folders, ReadExperiment(folder, experiment.run));
  BERTH_TRY(const std::vector<Choice> choices, ListChoices(folders.alternatives, policy_name));
  BERTH_TRY(experiment.cells, ReadCells(folders.constant, choices));
  return experiment;
}

}  // namespace berth::multiverse
