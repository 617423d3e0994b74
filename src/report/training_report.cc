#include "report/training_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.h"

namespace berth {
namespace {

constexpr std::size_t kTrainingRows = 10;

struct RoundSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// At most ten spans of rounds, as equal as they can be.
std::vector<RoundSpan> SpansOf(std::size_t rounds) {
  const std::size_t count = std::min(rounds, kTrainingRows);
  std::vector<RoundSpan> spans;
  spans.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    spans.push_back({.begin = i * rounds / count, .end = (i + 1) * rounds / count});
  }
  return spans;
}

TrainingScore ScoreOf(const TrainedPart& part, const RoundSpan& span) {
  TrainingScore sum;
  for (std::size_t i = span.begin; i < span.end; ++i) sum += part.rounds[i];
  return sum;
}

std::string RoundsInWords(const RoundSpan& span) {
  if (span.end == span.begin + 1) return FormatCount(span.end);
  return fmt::format("{}-{}", FormatCount(span.begin + 1), FormatCount(span.end));
}

Table ProgressTable(const TrainingOutcome& outcome, const std::vector<RoundSpan>& spans) {
  Table table{.title = "Training",
              .note =
                  "Scaled errors of what was expected before it was learned, on average. In "
                  "the gate: the share of expectations that were near enough to be believed.",
              .columns = {{.name = "rounds", .right_aligned = true},
                          {.name = "simulated", .right_aligned = true},
                          {.name = "lessons"},
                          {.name = "error"},
                          {.name = "in the gate", .unit = "%"}}};
  Duration simulated{};
  for (const RoundSpan& span : spans) {
    TrainingScore sum;
    for (const TrainedPart& part : outcome.parts) sum += ScoreOf(part, span);
    for (std::size_t i = span.begin; i < span.end; ++i) simulated += outcome.simulated[i];
    table.rows.push_back({RoundsInWords(span), FormatDuration(simulated),
                          static_cast<double>(sum.lessons), sum.Error(), 100 * sum.Passed()});
  }
  return table;
}

Table PartsTable(const TrainingOutcome& outcome, const std::vector<RoundSpan>& spans) {
  Table table{.title = "By service",
              .note = "In the first rounds of the table above, and in the last.",
              .columns = {{.name = "service"},
                          {.name = "group"},
                          {.name = "lessons"},
                          {.name = "error at first"},
                          {.name = "error at last"},
                          {.name = "in the gate at first", .unit = "%"},
                          {.name = "in the gate at last", .unit = "%"}}};
  table.rows.reserve(outcome.parts.size());
  for (const TrainedPart& part : outcome.parts) {
    const TrainingScore all = ScoreOf(part, {0, part.rounds.size()});
    const TrainingScore first = ScoreOf(part, spans.front());
    const TrainingScore last = ScoreOf(part, spans.back());
    table.rows.push_back({part.service, part.group, static_cast<double>(all.lessons), first.Error(),
                          last.Error(), 100 * first.Passed(), 100 * last.Passed()});
  }
  return table;
}

Table PatternsTable(const Training& training, const TrainingOutcome& outcome) {
  Table table{.title = "Patterns", .columns = {{.name = "load"}, {.name = "rounds"}}};
  table.rows.reserve(training.patterns.size());
  for (std::size_t i = 0; i < training.patterns.size(); ++i) {
    const auto drawn = std::ranges::count(outcome.patterns, i);
    table.rows.push_back({training.patterns[i].name, static_cast<double>(drawn)});
  }
  return table;
}

template <typename ValueOf>
Plot OverRounds(std::string title, std::string unit, const TrainingOutcome& outcome,
                ValueOf value_of) {
  Plot plot{.title = std::move(title),
            .x_label = "round",
            .x_kind = PlotXKind::kNumber,
            .y_unit = std::move(unit)};
  plot.series.reserve(outcome.parts.size());
  for (const TrainedPart& part : outcome.parts) {
    PlotSeries line{.name = fmt::format("{}, {}", part.service, part.group)};
    line.x.reserve(part.rounds.size());
    line.y.reserve(part.rounds.size());
    for (std::size_t i = 0; i < part.rounds.size(); ++i) {
      line.x.push_back(static_cast<double>(i + 1));
      line.y.push_back(value_of(part.rounds[i]));
    }
    plot.series.push_back(std::move(line));
  }
  return plot;
}

}  // namespace

Report TrainingReport(const Training& training, const TrainingOutcome& outcome,
                      std::string command) {
  const std::vector<RoundSpan> spans = SpansOf(training.rounds);
  return {.title = "Training",
          .subtitle = training.policy.name,
          .command = std::move(command),
          .seed = training.seed,
          .tables = {ProgressTable(outcome, spans), PartsTable(outcome, spans),
                     PatternsTable(training, outcome)},
          .plots = {OverRounds("Scaled error by round", "", outcome,
                               [](const TrainingScore& score) { return score.Error(); }),
                    OverRounds("In the gate by round", "%", outcome,
                               [](const TrainingScore& score) { return 100 * score.Passed(); })}};
}

}  // namespace berth
