#include <fmt/format.h>

#include <ostream>

#include "cli/commands/builtin.h"
#include "oversub/demand_library_file.h"
#include "oversub/usage_series.h"

namespace berth {
namespace {

Result<UsageTraces> ReadUsage(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  return ReadUsageTraces(std::move(lines));
}

int RunDemandFit(const Invocation& given, Console& console) {
  Result<UsageTraces> usage = ReadUsage(given.Text("--usage"));
  if (!usage.ok()) return console.Fail(usage.status());
  std::vector<DemandModel> models;
  for (const DemandTrace& trace : usage.value().traces) {
    if (const Status sound = CheckTrace(trace); !sound.ok()) return console.Fail(sound);
    models.push_back(FitModel(trace));
  }
  const Result<TraceLibrary> library =
      TraceLibrary::Build(std::move(models), usage.value().class_names);
  if (!library.ok()) return console.Fail(library.status());
  const Status written = WriteDemandLibrary(library.value(), given.Text("--out"));
  if (!written.ok()) return console.Fail(written);
  const UsageTraces& of = usage.value();
  if (given.Has("--json")) {
    console.out << fmt::format(
        "{{\"rows\": {}, \"instances\": {}, \"types\": {}, \"still_running\": {}}}\n", of.rows,
        of.traces.size(), of.class_names.size(), of.still_running);
    return kExitOk;
  }
  console.out << fmt::format(
      "{} rows of {} instances of {} types. {} were still running at the end: what they lived so "
      "far counts as their lifetime.\n",
      of.rows, of.traces.size(), of.class_names.size(), of.still_running);
  return kExitOk;
}

}  // namespace

Command DemandFit() {
  return {
      .words = "demand fit",
      .summary = "learn from a file of usage what instances need, for serve --demand",
      .arguments = {},
      .options = {{"--usage", "FILE",
                   "CSV: at_ms, instance, type, role, cpu_milli, memory_bytes, disk_bytes", true},
                  {"--out", "FILE", "where the models go", true},
                  kJsonOption},
      .examples = {"berth demand fit --usage testdata/demand/usage.csv --out demand.models"},
      .run = RunDemandFit};
}

}  // namespace berth
