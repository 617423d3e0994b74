#include "apptopo/open.h"

#include <fmt/format.h>

#include <algorithm>

#include "apptopo/importers/builtin.h"
#include "base/document.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr TopologyImporterEntry kTopologyImporters[] = {
#define BERTH_TOPOLOGY_IMPORTER(file, function, summary) {#file, summary, &function},
#include "apptopo/importers/importers.def"
#undef BERTH_TOPOLOGY_IMPORTER
};

// Lower-case letters only: "./a:b.csv" is a file, "compose:b" names an importer.
bool LooksLikeATopologyImporter(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::string_view ImporterOfSuffix(std::string_view file) {
  if (file.ends_with(".yml") || file.ends_with(".yaml")) return "compose";
  return file.ends_with(".json") ? "jaeger" : "edges";
}

std::string KnownTopologyImporters() {
  std::string names;
  for (const TopologyImporterEntry& entry : kTopologyImporters) {
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

}  // namespace

std::span<const TopologyImporterEntry> BuiltinTopologyImporters() { return kTopologyImporters; }

Result<ServiceGraph> ReadTopology(std::string_view where) {
  std::string_view file = where;
  std::string_view name;
  const std::size_t colon = where.find(':');
  if (colon != std::string_view::npos && LooksLikeATopologyImporter(where.substr(0, colon))) {
    name = where.substr(0, colon);
    file = where.substr(colon + 1);
  } else {
    name = ImporterOfSuffix(file);
  }
  const auto* const entry =
      std::ranges::find(kTopologyImporters, name, &TopologyImporterEntry::name);
  if (entry == std::end(kTopologyImporters)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: there is no importer {}; the importers are {}", Quoted(where),
                              Quoted(name), KnownTopologyImporters()));
  }
  if (file.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: names no file; write FILE or IMPORTER:FILE", Quoted(where)));
  }
  BERTH_TRY(const std::string text, ReadText(std::string(file)));
  return entry->read({.text = text, .file_name = std::string(file)});
}

}  // namespace berth
