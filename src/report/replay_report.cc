#include "report/replay_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/text.h"

namespace berth {
namespace {

constexpr std::size_t kChangesShownMax = 20;

std::string At(Time time) { return FormatTime(time); }

// How one run answered the requests about services.
struct Tally {
  std::map<ReplayAnswer, std::uint64_t> answers;
  std::map<std::string, std::uint64_t> refusals;  // By rule.
  std::uint64_t placed = 0;                       // Instances.

  std::uint64_t Of(ReplayAnswer answer) const {
    const auto at = answers.find(answer);
    return at == answers.end() ? 0 : at->second;
  }
};

Tally TallyOf(const RecordedRequests& recorded, const ReplayRun& run) {
  Tally tally;
  for (std::size_t i = 0; i < run.outcomes.size(); ++i) {
    if (!IsAboutAService(recorded.requests[i])) continue;
    const ReplayOutcome& outcome = run.outcomes[i];
    ++tally.answers[outcome.answer];
    if (outcome.answer == ReplayAnswer::kRefused) ++tally.refusals[outcome.rule];
    tally.placed += outcome.placed.size();
  }
  return tally;
}

// Instances that both of two answers place, and of them those that go elsewhere.
struct Overlap {
  std::uint64_t both = 0;
  std::uint64_t elsewhere = 0;

  void Add(const std::vector<Placement>& a, const std::vector<Placement>& b) {
    for (const Placement& placement : a) {
      const auto at = std::ranges::find(b, placement.instance, &Placement::instance);
      if (at == b.end()) continue;
      ++both;
      elsewhere += at->machine == placement.machine ? 0U : 1U;
    }
  }
};

Table SideBySide(const ReplayComparison& comparison) {
  const ReplayRun& control = comparison.control;
  const ReplayRun& other = comparison.other;
  const Tally was = TallyOf(comparison.recorded, control);
  const Tally would = TallyOf(comparison.recorded, other);
  Table table{.title = "The requests under both policies",
              .columns = {{.name = "figure"},
                          {.name = "recorded policy", .right_aligned = true},
                          {.name = "other policy", .right_aligned = true}}};
  const auto row = [&](std::string name, std::string a, std::string b) {
    table.rows.push_back({std::move(name), std::move(a), std::move(b)});
  };
  const auto answered = [&](std::string name, ReplayAnswer answer) {
    row(std::move(name), FormatCount(was.Of(answer)), FormatCount(would.Of(answer)));
  };
  answered("requests accepted", ReplayAnswer::kAccepted);
  answered("requests that wait for room", ReplayAnswer::kWaits);
  answered("requests refused", ReplayAnswer::kRefused);
  answered("requests that became moot", ReplayAnswer::kMoot);
  row("instances placed at once", FormatCount(was.placed), FormatCount(would.placed));
  row("packing density, mean", FormatPercent(control.MeanDensity()),
      FormatPercent(other.MeanDensity()));
  row("cores allocated, mean", FormatPercent(control.MeanUtilisation()),
      FormatPercent(other.MeanUtilisation()));
  const PackingState& ended = control.samples.back().packing;
  const PackingState& would_end = other.samples.back().packing;
  row("packing density, at the end", FormatPercent(ended.Density()),
      FormatPercent(would_end.Density()));
  row("machines in use, at the end", FormatCount(ended.machines_in_use),
      FormatCount(would_end.machines_in_use));
  row("instances that run, at the end", FormatCount(ended.instances),
      FormatCount(would_end.instances));
  row("instances that wait, at the end", FormatCount(ended.waiting),
      FormatCount(would_end.waiting));
  row("moved off machines that failed or left", FormatCount(control.engine.reallocated),
      FormatCount(other.engine.reallocated));
  return table;
}

std::string WhyDifferent(const ReplayOutcome& was, const ReplayOutcome& would) {
  if (was.answer == ReplayAnswer::kMoot || would.answer == ReplayAnswer::kMoot)
    return "what it is about is not there";
  const ReplayOutcome& worse = would.rule.empty() ? was : would;
  return fmt::format("{}: {}", worse.rule, worse.because);
}

Table ChangeTable(const ReplayComparison& comparison) {
  Table table{.title = "Requests that come out differently",
              .columns = {{.name = "revision"},
                          {.name = "at"},
                          {.name = "request"},
                          {.name = "recorded policy"},
                          {.name = "other policy"},
                          {.name = "because"}}};
  std::uint64_t changes = 0;
  for (std::size_t i = 0; i < comparison.control.outcomes.size(); ++i) {
    const ReplayOutcome& was = comparison.control.outcomes[i];
    const ReplayOutcome& would = comparison.other.outcomes[i];
    const RecordedRequest& request = comparison.recorded.requests[i];
    const auto* action = std::get_if<Action>(&request.what);
    const bool policy = action != nullptr && std::holds_alternative<ApplyPolicy>(*action);
    if (was.answer == would.answer || policy || ++changes > kChangesShownMax) continue;
    table.rows.push_back({static_cast<double>(ToNumber(request.revision)), At(request.at),
                          Describe(request), std::string(ToString(was.answer)),
                          std::string(ToString(would.answer)), WhyDifferent(was, would)});
  }
  if (changes == 0) table.note = "None.";
  if (changes > kChangesShownMax) {
    table.note = fmt::format("The first {} of {}.", kChangesShownMax, FormatCount(changes));
  }
  return table;
}

Table RefusalTable(const ReplayComparison& comparison) {
  std::map<std::string, std::array<std::uint64_t, 3>> by_rule;
  for (const auto& [rule, count] : comparison.recorded.unknown_by_rule) by_rule[rule][0] = count;
  for (const auto& [rule, count] : TallyOf(comparison.recorded, comparison.control).refusals)
    by_rule[rule][1] = count;
  for (const auto& [rule, count] : TallyOf(comparison.recorded, comparison.other).refusals)
    by_rule[rule][2] = count;
  Table table{.title = "Refusals by rule",
              .note = by_rule.empty() ? "None." : "",
              .columns = {{.name = "rule"},
                          {.name = "when recorded, not asked again"},
                          {.name = "recorded policy"},
                          {.name = "other policy"}}};
  for (const auto& [rule, counts] : by_rule) {
    table.rows.push_back({rule, static_cast<double>(counts[0]), static_cast<double>(counts[1]),
                          static_cast<double>(counts[2])});
  }
  return table;
}

std::vector<std::string> Notes(const ReplayComparison& comparison) {
  std::vector<std::string> notes = {
      fmt::format("The replay reaches back to revision {} (at {}){}, and ends at {}.",
                  ToNumber(comparison.from), At(comparison.from_time),
                  comparison.whole ? ", the first there was" : "; the log keeps nothing older",
                  At(comparison.until))};
  if (!comparison.whole) {
    notes.push_back(fmt::format(
        "What ran then is known from what is left of it. Left out, because the log does not say "
        "where it ran: {} and {}.",
        Plural(comparison.forgotten_services, "service"),
        Plural(comparison.forgotten_instances, "instance")));
  }
  if (comparison.looks_ahead) {
    notes.emplace_back(
        "A policy looks ahead, and the log keeps no usage: in both replays every instance is taken "
        "to need its limit, so that what is said of estimates is not what they would be live.");
  }
  std::uint64_t unknown = 0;
  for (const auto& [rule, count] : comparison.recorded.unknown_by_rule) unknown += count;
  if (unknown > 0) {
    notes.push_back(
        fmt::format("Refused when recorded: {}. The log does not keep what was asked for, so "
                    "neither policy can "
                    "be asked for it.",
                    Plural(unknown, "request")));
  }
  return notes;
}

std::vector<Fact> FactsIn(const ReplayComparison& comparison) {
  Overlap recorded;
  Overlap policies;
  std::uint64_t asked = 0;
  for (std::size_t i = 0; i < comparison.control.outcomes.size(); ++i) {
    const RecordedRequest& request = comparison.recorded.requests[i];
    asked += IsAboutAService(request) ? 1U : 0U;
    const std::vector<Placement>& was = comparison.control.outcomes[i].placed;
    policies.Add(was, comparison.other.outcomes[i].placed);
    if (request.decision) recorded.Add(request.decision->placed, was);
  }
  return {{.name = "Requests asked again",
           .value = FormatCount(asked),
           .note = fmt::format("and {} of the fleet, its health and reports",
                               Plural(comparison.recorded.requests.size() - asked, "change"))},
          {.name = "Placed elsewhere",
           .value = FormatCount(policies.elsewhere),
           .note = fmt::format("of {} that both policies place at once",
                               Plural(policies.both, "instance"))},
          {.name = "Replayed as recorded",
           .value = FormatCount(recorded.both - recorded.elsewhere),
           .note = fmt::format("of {} that the recorded policy places again",
                               Plural(recorded.both, "instance"))},
          {.name = "Conflicts when recorded",
           .value = FormatCount(comparison.recorded.conflicts),
           .note = "a replay asks one at a time and meets none"}};
}

PlotSeries SeriesOf(const ReplayRun& run, std::string name, double (PackingState::*get)() const) {
  PlotSeries series{.name = std::move(name), .kind = PlotSeriesKind::kStep};
  const Time begin = run.samples.front().at;
  for (const ReplaySample& sample : run.samples) {
    series.x.push_back(static_cast<double>((sample.at - begin).count()) / 1e6);
    series.y.push_back(100 * (sample.packing.*get)());
  }
  return series;
}

}  // namespace

Report ReplayReport(const ReplayComparison& comparison, const ReplayOf& run) {
  Report report{.title = "What if another policy had been in force",
                .subtitle = fmt::format("store {}, policy {}", run.store, run.policy),
                .command = run.command};
  report.paragraphs = Notes(comparison);
  report.facts = FactsIn(comparison);
  report.tables = {SideBySide(comparison), ChangeTable(comparison), RefusalTable(comparison)};
  Plot density{.title = "Packing density", .y_label = "share", .y_unit = "%"};
  density.series = {SeriesOf(comparison.control, "recorded policy", &PackingState::Density),
                    SeriesOf(comparison.other, "other policy", &PackingState::Density)};
  Plot allocated{.title = "Cores allocated", .y_label = "share", .y_unit = "%"};
  allocated.series = {SeriesOf(comparison.control, "recorded policy", &PackingState::Utilisation),
                      SeriesOf(comparison.other, "other policy", &PackingState::Utilisation)};
  report.plots = {density, allocated};
  return report;
}

}  // namespace berth
