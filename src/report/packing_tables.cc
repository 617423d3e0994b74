#include "report/packing_tables.h"

#include <cmath>
#include <utility>

namespace berth {
namespace {

double Number(std::uint64_t count) { return static_cast<double>(count); }

// Does not exist where there is nothing to divide by.
double Ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::nan("") : Number(part) / Number(whole);
}
double Percent(std::uint64_t part, std::uint64_t whole) { return 100 * Ratio(part, whole); }

Table RefusalTable(const PackingResult& result) {
  const Requests& requests = result.requests;
  Table table{.title = "Refusals by the rule that decided",
              .note = requests.refusals.empty() ? "Nothing was refused." : "",
              .columns = {{.name = "rule"}, {.name = "requests"}, {.name = "share", .unit = "%"}}};
  for (const auto& [rule, count] : requests.refusals) {
    table.rows.push_back({rule, Number(count), Percent(count, requests.asked)});
  }
  return table;
}

Table RuleTable(const PackingResult& result) {
  Table table{.title = "How much each rule narrows the choice",
              .note =
                  "Machines left after the rule over machines before it, mean over all "
                  "decisions in which any were left for it; how many that is; and how many "
                  "requests were refused because it left none.",
              .columns = {{.name = "rule"},
                          {.name = "kind"},
                          {.name = "asked"},
                          {.name = "kept", .unit = "%"},
                          {.name = "left", .unit = "machines"},
                          {.name = "refused", .unit = "requests"}}};
  for (const RuleEffect& effect : result.rules) {
    table.rows.push_back({effect.rule, std::string(effect.validator ? "validator" : "preference"),
                          Number(effect.asked), 100 * effect.kept, effect.left,
                          Number(effect.refusals)});
  }
  return table;
}

Table ContentionTable(const PackingResult& result) {
  const Contention& contention = result.contention;
  Table table{.title = "How agents got on with each other",
              .note =
                  "A stale view that still holds at commit is merged; one that does not is a "
                  "conflict, and the request is decided again.",
              .columns = {{.name = "figure"}, {.name = "value"}}};
  table.rows = {
      {"commits", Number(contention.commits)},
      {"conflicts", Number(contention.conflicts)},
      {"conflicts (% of commits)", Percent(contention.conflicts, contention.commits)},
      {"stale views merged", Number(contention.merged)},
      {"conflicts in a second, p99", Number(contention.conflicts_by_second.Quantile(0.99))},
      {"conflicts in a minute, p99", Number(contention.conflicts_by_minute.Quantile(0.99))},
      {"answers in a second, p99", Number(contention.answers_by_second.Quantile(0.99))},
      {"answers in a second, most", Number(contention.answers_by_second.Most())},
      {"retries of a request, p99.9", Number(contention.retries.Quantile(0.999))}};
  return table;
}

Table RetryTable(const PackingResult& result) {
  const Tally& retries = result.contention.retries;
  Table table{
      .title = "Requests by how often they were decided again",
      .columns = {{.name = "retries"}, {.name = "requests"}, {.name = "share", .unit = "%"}}};
  for (const auto& [times, requests] : retries.counts()) {
    table.rows.push_back({Number(times), Number(requests), Percent(requests, retries.total())});
  }
  return table;
}

Table TimeTable(const DecisionTimes& times) {
  Table table{.title = "How long answers took",
              .note =
                  "From submission to answer: waiting for the agent, its thinking, the commit, "
                  "and all of it again after conflicts.",
              .columns = {{.name = "figure"}, {.name = "value"}}};
  const auto millis = [&](double q) { return Number(times.micros.Quantile(q)) / 1e3; };
  table.rows = {{"p50 (ms)", millis(0.5)},
                {"p99 (ms)", millis(0.99)},
                {"p99.9 (ms)", millis(0.999)},
                {"most (ms)", millis(1)},
                {"short thoughts (%)", Percent(times.hits, times.hits + times.misses)}};
  return table;
}

Table CacheTable(const CacheStats& kept) {
  Table table{.title = "What agents keep",
              .note =
                  "Hits of what was asked for; what was asked for as a share of all that was; "
                  "machines looked at because they changed or for the first time, and of them "
                  "while the agent was idle.",
              .columns = {{.name = "kept"},
                          {.name = "asked"},
                          {.name = "hits", .unit = "%"},
                          {.name = "request share", .unit = "%"},
                          {.name = "machines updated"},
                          {.name = "in background", .unit = "%"},
                          {.name = "evicted"},
                          {.name = "kept now"},
                          {.name = "size", .unit = "MB"}}};
  const std::uint64_t all = kept.evaluations.asked + kept.rule_objects.asked + kept.facts.asked;
  const std::pair<std::string, const KeptStats&> rows[] = {{"evaluations", kept.evaluations},
                                                           {"rule objects", kept.rule_objects},
                                                           {"facts", kept.facts}};
  for (const auto& [name, of] : rows) {
    table.rows.push_back({name, Number(of.asked), Percent(of.hits, of.asked),
                          Percent(of.asked, all), Number(of.machines),
                          Percent(of.in_background, of.machines), Number(of.evicted),
                          Number(of.kept), Number(of.bytes) / 1e6});
  }
  return table;
}

Table DecisionTable(const CacheUse& cache) {
  Table table{.title = "What decisions cost",
              .note =
                  "A hit found every evaluation it needed kept; machines judged in the "
                  "background between decisions are not counted here.",
              .columns = {{.name = "decisions"},
                          {.name = "number"},
                          {.name = "share", .unit = "%"},
                          {.name = "machines judged", .unit = "per decision"}}};
  const std::uint64_t all = cache.hits + cache.misses;
  table.rows = {{"hits", Number(cache.hits), Percent(cache.hits, all),
                 Ratio(cache.machines_on_hits, cache.hits)},
                {"misses", Number(cache.misses), Percent(cache.misses, all),
                 Ratio(cache.machines_on_misses, cache.misses)}};
  return table;
}

}  // namespace

std::vector<Table> PackingTables(const PackingResult& result) {
  std::vector<Table> tables = {RefusalTable(result), RuleTable(result), ContentionTable(result),
                               RetryTable(result)};
  if (result.times) tables.push_back(TimeTable(*result.times));
  tables.push_back(DecisionTable(result.cache));
  tables.push_back(CacheTable(result.cache.kept));
  return tables;
}

}  // namespace berth
