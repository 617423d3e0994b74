#include <fmt/format.h>

#include <ostream>

#include "base/document.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "base/timestamp.h"
#include "cli/commands/builtin.h"
#include "usage/import_usage.h"
#include "usage/prometheus_source.h"

namespace berth {
namespace {

Result<PrometheusRange> ReadRange(const Invocation& given) {
  PrometheusRange range;
  BERTH_TRY(range.step, ParseDuration(given.Text("--step")));
  BERTH_TRY(const Duration last, ParseDuration(given.Text("--last")));
  range.end = WallClock();
  if (given.Has("--to")) {
    const std::optional<std::int64_t> seconds = ParseTimestamp(given.Text("--to"));
    if (!seconds) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--to: {} is not a time; write 2026-11-15 13:45:00, in UTC",
                                Quoted(given.Text("--to"))));
    }
    range.end = Time(std::chrono::seconds(*seconds));
  }
  // Whole steps since 1970, so that the same points come whenever it is asked.
  if (range.step > Duration::zero()) range.end -= range.end.time_since_epoch() % range.step;
  range.begin = range.end - last;
  return range;
}

Result<PrometheusServer> ReadPrometheusServer(const Invocation& given) {
  PrometheusServer server{.url = given.Text("--prometheus")};
  BERTH_RETURN_IF_ERROR(CheckPrometheusUrl("--prometheus", server.url));
  if (given.Has("--ca")) server.ca = given.Text("--ca");
  if (given.Has("--token-file")) {
    BERTH_TRY(server.token, ReadBearerToken(given.Text("--token-file")));
  }
  return server;
}

Result<ImportedUsage> ImportUsage(const Invocation& given) {
  if (!given.Has("--cpu") && !given.Has("--memory")) {
    return Status(Code::kInvalidArgument, "give a query with --cpu, --memory, or both");
  }
  BERTH_TRY(const PrometheusRange range, ReadRange(given));
  BERTH_TRY(const PrometheusServer server, ReadPrometheusServer(given));
  std::vector<PrometheusSeries> series[2];
  for (const auto& [option, into] : {std::pair("--cpu", 0), std::pair("--memory", 1)}) {
    if (!given.Has(option)) continue;
    BERTH_TRY(series[into], QueryRange(server, given.Text(option), range));
    if (series[into].empty()) {
      return Status(Code::kNotFound,
                    fmt::format("{}: {} has no point of {} in that time; try it on the server's "
                                "own page",
                                option, server.url, Quoted(given.Text(option))));
    }
  }
  return UsageFromSeries(
      series[0], series[1],
      {.service = given.Text("--service"), .instance = given.Text("--instance")});
}

int RunUsageImport(const Invocation& given, Console& console) {
  const Result<ImportedUsage> imported = ImportUsage(given);
  if (!imported.ok()) return console.Fail(imported.status());
  const ImportedUsage& usage = imported.value();
  const Status status = WriteUsageFile(given.Text("--out"), usage.csv);
  if (!status.ok()) return console.Fail(status);
  std::string said =
      fmt::format("{} of {}", Plural(usage.rows, "row"), Plural(usage.instances, "instance"));
  if (usage.left_out > 0) {
    said += fmt::format("; {} had only one of cpu and memory and {} left out",
                        Plural(usage.left_out, "point"), usage.left_out == 1 ? "was" : "were");
  }
  console.err << fmt::format("{}: {}\n", given.Text("--out"), said);
  return kExitOk;
}

}  // namespace

Command UsageImportCommand() {
  return {
      .words = "usage import",
      .summary = "fetch usage from Prometheus into a file, for recommendations and rehearsals",
      .arguments = {},
      .options = {{"--prometheus", "URL", "as http://localhost:9090", true},
                  {"--cpu", "QUERY", "cores in use, a series an instance"},
                  {"--memory", "QUERY", "bytes in use, a series an instance"},
                  {"--service", "LABEL", "that names the service", false, "service"},
                  {"--instance", "LABEL", "that names the instance of it", false, "instance"},
                  {"--last", "TIME", "how much of it", false, "14d"},
                  {"--to", "TIME", "up to when, as 2026-11-15 13:45:00, UTC; otherwise now"},
                  {"--step", "TIME", "between two points", false, "1m"},
                  {"--token-file", "FILE", "a bearer token, in its first line"},
                  {"--ca", "FILE", "certificates to trust instead of the system's"},
                  {"--out", "FILE", "CSV, compressed if its name ends in .gz; - is standard output",
                   true}},
      .examples = {"berth usage import --prometheus http://localhost:9090 --cpu 'sum by (service, "
                   "instance) (rate(process_cpu_seconds_total[5m]))' --memory 'sum by (service, "
                   "instance) (process_resident_memory_bytes)' --last 1d --out usage.csv.gz"},
      .run = RunUsageImport};
}

}  // namespace berth
