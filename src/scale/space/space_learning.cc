// What a SPACE autoscaler learned: told, kept, and taken up again.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "base/wire.h"
#include "berth/check.h"
#include "scale/space/space_autoscaler.h"

namespace berth {
namespace {

std::string MetricInWords(const GroupMetric& metric) {
  std::string words = metric.name;
  if (!metric.request_type.empty()) words += fmt::format(" of {}", metric.request_type);
  if (metric.of_application) words += " of the application";
  if (!metric.of_service.empty()) words += fmt::format(" of {}", metric.of_service);
  if (metric.aggregation) {
    words += fmt::format(" ({}, {})", metric.aggregation->aggregator->name,
                         FormatDuration(metric.aggregation->every));
  }
  return words;
}

// What a model is of. Bounds and targets are not in it: they say what is done with the answers.
std::string LearnedFor(const MetricGroup& group) {
  std::string words =
      fmt::format("{} of {}{} by instances", group.settings.model, group.settings.performance,
                  group.performance_of_application ? " of the application" : "");
  for (const GroupMetric& metric : group.metrics) words += ", " + MetricInWords(metric);
  return words;
}

struct LearnedState {
  std::string service{};
  std::string group{};
  std::string learned_for{};
  std::string state{};
};

Result<std::vector<LearnedState>> ReadLearnedStates(std::string_view bytes) {
  std::vector<LearnedState> states;
  WireReader reader(bytes);
  while (reader.Next()) {
    WireReader inner = reader.Message();
    LearnedState& read = states.emplace_back();
    while (inner.Next()) {
      switch (inner.field()) {
        case 1:
          read.service = inner.Text();
          break;
        case 2:
          read.group = inner.Text();
          break;
        case 3:
          read.learned_for = inner.Text();
          break;
        case 4:
          read.state = inner.Text();
          break;
        default:
          break;
      }
    }
    BERTH_RETURN_IF_ERROR(inner.status());
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  return states;
}

Status LearnedForAnother(std::string_view learned, std::string_view here) {
  return {Code::kInvalidArgument,
          fmt::format("was learned for {}, and this policy learns {}; train this policy, or take "
                      "the one that it was learned with",
                      learned, here)};
}

}  // namespace

std::vector<Lesson> SpaceAutoscaler::LastLessons() const {
  std::vector<Lesson> lessons;
  lessons.reserve(learning_.size());
  for (const LearningPart& part : learning_) {
    const auto last = part.group->LastLearned();
    if (!last) continue;
    lessons.push_back({.service = part.service,
                       .group = part.group->policy().name,
                       .expected = last->expected,
                       .observed = last->observed,
                       .passed = last->passed});
  }
  return lessons;
}

std::string SpaceAutoscaler::SaveLearned() const {
  std::string bytes;
  WireWriter writer(bytes);
  for (const LearningPart& part : learning_) {
    writer.PutMessage(1, [&](WireWriter& inner) {
      inner.PutText(1, part.service);
      inner.PutText(2, part.group->policy().name);
      inner.PutText(3, LearnedFor(part.group->policy()));
      inner.PutText(4, part.group->calculator().Save());
    });
  }
  return bytes;
}

Status SpaceAutoscaler::RestoreLearned(std::string_view bytes) {
  BERTH_TRY(std::vector<LearnedState> states, ReadLearnedStates(bytes));
  if (states.size() != learning_.size()) {
    return LearnedForAnother(Plural(states.size(), "metric group"),
                             Plural(learning_.size(), "metric group"));
  }
  const auto named = [](std::string_view service, std::string_view group, std::string_view what) {
    return fmt::format("group {} of {} ({})", Quoted(group), Quoted(service), what);
  };
  for (std::size_t i = 0; i < states.size(); ++i) {
    const MetricGroup& group = learning_[i].group->policy();
    const std::string learned = named(states[i].service, states[i].group, states[i].learned_for);
    const std::string here = named(learning_[i].service, group.name, LearnedFor(group));
    if (learned != here) return LearnedForAnother(learned, here);
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    CountCalculator& calculator = learning_[i].group->calculator();
    std::string before = calculator.Save();
    Status restored = calculator.Restore(states[i].state);
    states[i].state = std::move(before);
    if (restored.ok()) continue;
    while (i-- > 0) {
      BERTH_CHECK(learning_[i].group->calculator().Restore(states[i].state).ok());
    }
    return restored;
  }
  return {};
}

}  // namespace berth
