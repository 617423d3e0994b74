// An experiment's folder: the files that confs.json names, or an experiment.json beside a folder
// of alternatives, every combination of which is one cell.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "appsim/multiverse/set.h"

namespace berth::multiverse {

// One combination of alternatives, which the folder gives in alphabetical order.
struct Cell {
  // What was chosen: {"scaling_policy", "reactive"}. Empty where there is nothing to choose.
  std::vector<std::pair<std::string, std::string>> choices{};
  SimulationSet set{};
};

struct ExperimentFolder {
  RunSpec run{};
  std::vector<Cell> cells{};
};

// "reactive", or "FIFO, reactive"; the name given for a cell without choices.
std::string CellName(const Cell& cell, const std::string& otherwise);

// Of alternatives to scaling_policy only that of this name; empty: all.
Result<ExperimentFolder> ReadExperimentFolder(const std::string& folder,
                                              const std::string& policy_name);

// The documents of one simulation by their keys in confs.json: "application_model" and so on. What
// files are called in messages is in each document.
struct SetDocuments {
  std::vector<std::pair<std::string, Document>> documents{};
  const Document* Find(std::string_view key) const;
};
Result<SimulationSet> ReadSimulationSet(const SetDocuments& documents);

}  // namespace berth::multiverse
