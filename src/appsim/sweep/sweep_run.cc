#include "appsim/sweep/sweep_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/document.h"
#include "base/fields.h"
#include "base/lines.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::uint64_t kCountedMax = std::uint64_t{1} << 53U;
constexpr std::size_t kTimeBucketsMax = 10'000;

MeanOverTime MeanOfSeries(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .deviation = std::sqrt(squares / count)};
}

std::vector<double> SumOverRegions(const std::vector<AppOutcome>& regions,
                                   std::vector<double> AppSeries::*which) {
  std::vector<double> sums = regions.front().series.*which;
  for (std::size_t i = 1; i < regions.size(); ++i) {
    const std::vector<double>& more = regions[i].series.*which;
    for (std::size_t step = 0; step < sums.size() && step < more.size(); ++step) {
      sums[step] += more[step];
    }
  }
  return sums;
}

std::string InJson(const MeanOverTime& value) {
  return fmt::format("[{},{}]", value.mean, value.deviation);
}
std::string InJson(const ScalingLatency& latency) {
  return fmt::format("[{},{},{}]", latency.count, latency.whole_us, latency.violated_us);
}

// {"a":1,"b":2}; names are valid ones, without anything to be escaped.
template <typename Map, typename ValueInJson>
std::string MapInJson(const Map& map, ValueInJson value_in_json) {
  std::string json;
  for (const auto& [key, value] : map) {
    json += fmt::format("{}\"{}\":{}", json.empty() ? "" : ",", key, value_in_json(value));
  }
  return "{" + json + "}";
}

Result<std::vector<double>> ReadNumbers(const Node& node, std::size_t count) {
  BERTH_TRY(const std::vector<Node> items, node.Items());
  if (items.size() != count) return node.Error(fmt::format("needs {} numbers", count));
  std::vector<double> numbers;
  numbers.reserve(count);
  for (const Node& item : items) {
    BERTH_TRY(const double number, item.Number());
    numbers.push_back(number);
  }
  return numbers;
}

Status ReadMean(const Node& node, MeanOverTime& mean) {
  BERTH_TRY(const std::vector<double> numbers, ReadNumbers(node, 2));
  mean = {.mean = numbers[0], .deviation = numbers[1]};
  return {};
}

Status ReadLatency(const Node& node, ScalingLatency& latency) {
  BERTH_TRY(const std::vector<double> numbers, ReadNumbers(node, 3));
  latency = {.count = static_cast<std::uint64_t>(numbers[0]),
             .whole_us = numbers[1],
             .violated_us = numbers[2]};
  return {};
}

Status ReadLost(const Node& node, SweepRun& run) {
  BERTH_TRY(const std::vector<Node> items, node.Items());
  if (items.size() != kLossCauses) return node.Error(fmt::format("needs {} counts", kLossCauses));
  for (std::size_t i = 0; i < kLossCauses; ++i) {
    BERTH_TRY(run.lost[i], items[i].Integer<std::uint64_t>({.min = 0, .max = kCountedMax}));
  }
  return {};
}

Status ReadByName(const std::vector<KeyedNode>& nodes, const std::vector<KeyedNode>& utilisation,
                  const std::vector<KeyedNode>& response, SweepRun& run) {
  for (const KeyedNode& entry : nodes) {
    BERTH_TRY(run.nodes_by_type[std::string(entry.key)], entry.value.Number());
  }
  for (const KeyedNode& entry : utilisation) {
    BERTH_TRY(const std::vector<double> numbers, ReadNumbers(entry.value, kUsedCount));
    std::array<double, kUsedCount>& used = run.utilisation[std::string(entry.key)];
    std::ranges::copy(numbers, used.begin());
  }
  for (const KeyedNode& entry : response) {
    const Parsed<std::int64_t> bucket = ParseInteger(entry.key);
    if (bucket.error != std::errc() || bucket.value < 0 ||
        bucket.value >= static_cast<std::int64_t>(kTimeBucketsMax)) {
      return entry.value.KeyError("is no bucket of times");
    }
    BERTH_TRY(const std::uint64_t count,
              entry.value.Integer<std::uint64_t>({.min = 1, .max = kCountedMax}));
    run.response.AddToBucket(static_cast<std::size_t>(bucket.value), count);
  }
  return {};
}

std::string FirstLine(std::uint64_t digest) {
  return fmt::format("{{\"berth_sweep\":1,\"digest\":\"{:016x}\"}}\n", digest);
}

Status CannotWrite(const std::string& path) {
  return {Code::kUnavailable, fmt::format("{} cannot be written", Quoted(path))};
}

}  // namespace

SweepRun SweepRunOf(const AppModel& model, const std::vector<AppOutcome>& regions) {
  const AppTotals totals = TotalsOf(regions);
  SweepRun run{.sent = totals.all.sent,
               .answered = totals.all.answered,
               .good = totals.all.good,
               .lost = totals.all.lost,
               .unfinished = totals.unfinished,
               .cost_micros = totals.cost_micros,
               .nodes = MeanOfSeries(SumOverRegions(regions, &AppSeries::nodes)),
               .nodes_desired = MeanOfSeries(SumOverRegions(regions, &AppSeries::nodes_desired)),
               .latency = totals.latency,
               .response = totals.all.response};
  const double seconds = std::chrono::duration<double>(model.duration).count();
  for (std::size_t i = 0; i < model.node_types.size(); ++i) {
    run.nodes_by_type[model.node_types[i].vm.FullName()] =
        totals.node_types[i].node_seconds / seconds;
  }
  for (std::size_t i = 0; i < model.services.size(); ++i) {
    run.utilisation[model.services[i].name] = totals.services[i];
  }
  return run;
}

std::string SweepRunLine(const SweepRunId& id, const SweepRun& run) {
  return fmt::format(
      "{{\"combination\":{},\"repetition\":{},\"sent\":{},\"answered\":{},\"good\":{},"
      "\"lost\":[{}],\"unfinished\":{},\"cost_micros\":{},\"nodes\":{},\"nodes_desired\":{},"
      "\"nodes_by_type\":{},\"utilisation\":{},\"latency_less\":{},\"latency_more\":{},"
      "\"response\":{}}}\n",
      id.combination, id.repetition, run.sent, run.answered, run.good, fmt::join(run.lost, ","),
      run.unfinished, run.cost_micros, InJson(run.nodes), InJson(run.nodes_desired),
      MapInJson(run.nodes_by_type, [](double nodes) { return fmt::to_string(nodes); }),
      MapInJson(run.utilisation,
                [](const auto& used) { return fmt::format("[{}]", fmt::join(used, ",")); }),
      InJson(run.latency[0]), InJson(run.latency[1]),
      MapInJson(run.response.Filled(), [](std::uint64_t count) { return fmt::to_string(count); }));
}

Result<std::pair<SweepRunId, SweepRun>> ParseSweepRunLine(std::string_view line) {
  BERTH_TRY(const Document document, ParseDocument(line, "a line of results"));
  Fields fields(document.root());
  const auto counted = [&fields](std::string_view key) {
    return fields.Integer<std::uint64_t>(key, {.min = 0, .max = kCountedMax});
  };
  const SweepRunId id{.combination = counted("combination"), .repetition = counted("repetition")};
  SweepRun run{.sent = counted("sent"), .answered = counted("answered"), .good = counted("good")};
  run.unfinished = counted("unfinished");
  run.cost_micros = fields.Number("cost_micros", {.min = 0});
  const std::optional<Node> lost = fields.Required("lost");
  const std::optional<Node> nodes = fields.Required("nodes");
  const std::optional<Node> desired = fields.Required("nodes_desired");
  const std::optional<Node> less = fields.Required("latency_less");
  const std::optional<Node> more = fields.Required("latency_more");
  const std::vector<KeyedNode> types = fields.Entries("nodes_by_type");
  const std::vector<KeyedNode> utilisation = fields.Entries("utilisation");
  const std::vector<KeyedNode> response = fields.Entries("response");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(ReadLost(*lost, run));
  BERTH_RETURN_IF_ERROR(ReadMean(*nodes, run.nodes));
  BERTH_RETURN_IF_ERROR(ReadMean(*desired, run.nodes_desired));
  BERTH_RETURN_IF_ERROR(ReadLatency(*less, run.latency[0]));
  BERTH_RETURN_IF_ERROR(ReadLatency(*more, run.latency[1]));
  BERTH_RETURN_IF_ERROR(ReadByName(types, utilisation, response, run));
  return std::pair(id, std::move(run));
}

Result<SweepResults> SweepResults::Open(const std::string& folder, std::uint64_t digest) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  SweepResults results(folder + "/runs.jsonl", digest);
  if (!std::filesystem::exists(results.path_, error)) {
    BERTH_RETURN_IF_ERROR(results.WriteWhole());
    return results;
  }
  BERTH_TRY(const std::string text, ReadText(results.path_));
  if (!text.starts_with(FirstLine(digest))) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("{} holds the results of another sweep, or of these files before "
                              "they were changed; give another --results, or remove it",
                              Quoted(results.path_)));
  }
  std::size_t number = 1;
  for (const std::string_view line : Split(text, '\n')) {
    if (number++ == 1 || line.empty()) continue;
    Result<std::pair<SweepRunId, SweepRun>> run = ParseSweepRunLine(line);
    if (run.ok()) {
      results.runs_.insert(std::move(run).value());
    } else if (line.data() + line.size() != text.data() + text.size()) {
      return Status(Code::kFailedPrecondition,
                    fmt::format("{}:{}: {}; remove the line to run it again", results.path_,
                                number - 1, run.status().message()));
    }
  }
  BERTH_RETURN_IF_ERROR(results.WriteWhole());
  return results;
}

Status SweepResults::Add(const SweepRunId& id, SweepRun run) {
  file_ << SweepRunLine(id, run) << std::flush;
  runs_.emplace(id, std::move(run));
  return file_ ? Status() : CannotWrite(path_);
}

Status SweepResults::Close() {
  BERTH_RETURN_IF_ERROR(WriteWhole());
  file_.close();
  return {};
}

// Beside, and renamed: whoever is killed here has the old file or the new one. It stays open for
// what follows.
Status SweepResults::WriteWhole() {
  file_.close();
  file_ = std::ofstream(path_ + ".part", std::ios::trunc);
  file_ << FirstLine(digest_);
  for (const auto& [id, run] : runs_) file_ << SweepRunLine(id, run);
  file_.flush();
  std::error_code error;
  std::filesystem::rename(path_ + ".part", path_, error);
  return file_ && !error ? Status() : CannotWrite(path_);
}

}  // namespace berth
