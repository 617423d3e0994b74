#include "traces/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "traces/importers/builtin.h"

namespace berth {
namespace {

constexpr ImporterEntry kImporters[] = {
#define BERTH_IMPORTER(file, factory, summary) {#file, summary, &factory},
#include "traces/importers/importers.def"
#undef BERTH_IMPORTER
};

// Letters, digits and '_': "./a:b.csv" is a file, "azure_v1:b.csv" names an importer.
bool LooksLikeImporter(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string KnownImporters() {
  std::string names;
  for (const ImporterEntry& entry : kImporters) {
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

}  // namespace

std::span<const ImporterEntry> BuiltinImporters() { return kImporters; }

Result<std::unique_ptr<Trace>> OpenTrace(std::string_view where, const TraceOptions& options) {
  std::string_view name = kImporters[0].name;
  std::string_view file = where;
  const std::size_t colon = where.find(':');
  if (colon != std::string_view::npos && LooksLikeImporter(where.substr(0, colon))) {
    name = where.substr(0, colon);
    file = where.substr(colon + 1);
  }
  const auto* const entry = std::ranges::find(kImporters, name, &ImporterEntry::name);
  if (entry == std::end(kImporters)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: there is no importer {}; the importers are {}", Quoted(where),
                              Quoted(name), KnownImporters()));
  }
  if (file.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: names no file; write FILE or IMPORTER:FILE", Quoted(where)));
  }
  return entry->open(TraceSource::File(std::string(file)), options);
}

}  // namespace berth
