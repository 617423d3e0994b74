#include "sim/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/lines.h"
#include "base/text.h"
#include "engine/policy.h"
#include "sim/scenario_expect.h"
#include "sim/scenario_verbs.h"

namespace berth {
namespace {

constexpr std::array<std::string_view, 4> kLabels = {"fast", "slow", "sim", "e2e"};
constexpr std::array<std::string_view, 14> kOtherVerbs = {
    "labels",  "agents", "policy",  "advance", "usage",  "load",    "metric",
    "restart", "expect", "explain", "whynot",  "refuse", "invalid", "&"};

// A sample a minute.
constexpr Duration kUseMax = std::chrono::hours(24 * 60);

std::string_view Nearest(std::string_view word) {
  std::string_view nearest;
  std::size_t least = std::string_view::npos;
  const auto look = [&](std::string_view known) {
    const std::size_t distance = EditDistance(word, known);
    if (distance < least) {
      least = distance;
      nearest = known;
    }
  };
  for (const Verb& verb : Verbs()) look(verb.name);
  for (const std::string_view verb : kOtherVerbs) look(verb);
  return nearest;
}

const Verb* FindVerb(std::string_view name) {
  const auto verbs = Verbs();
  const auto at = std::ranges::find(verbs, name, &Verb::name);
  return at == verbs.end() ? nullptr : &*at;
}

class ScenarioReader {
 public:
  explicit ScenarioReader(const std::string& file) { scenario_.file = file; }

  Status Read(LineReader& lines) {
    for (;;) {
      BERTH_TRY(const std::optional<std::string_view> text, lines.Next());
      if (!text) break;
      BERTH_RETURN_IF_ERROR(ReadLine(lines.line_number(), *text));
    }
    BERTH_RETURN_IF_ERROR(EndPolicy());
    return {};
  }

  Result<Scenario> Finish() {
    if (scenario_.labels.empty()) {
      return Status(
          Code::kInvalidArgument,
          fmt::format("{}:1:1: the scenario has no labels; say when it is run with a line "
                      "like 'labels fast'",
                      scenario_.file));
    }
    return std::move(scenario_);
  }

 private:
  Status ReadLine(std::size_t number, std::string_view text) {
    if (number == 1) return ReadAbout(text);
    if (policy_line_ != 0 && text.starts_with("|")) {
      policy_ += fmt::format(" {}\n", text.substr(1));
      return {};
    }
    BERTH_RETURN_IF_ERROR(EndPolicy());
    BERTH_TRY(Line line, Line::Split(scenario_.file, number, text));
    if (line.empty()) return {};
    BERTH_TRY(const std::string verb, line.Next("a verb"));
    if (verb == "labels") return ReadLabels(line);
    if (verb == "agents") return ReadAgents(line);
    if (verb == "policy") return BeginPolicy(line);
    ScenarioStep step{.line = number, .text = WithoutComment(text), .what = {}};
    BERTH_RETURN_IF_ERROR(ReadStep(verb, line, step));
    BERTH_RETURN_IF_ERROR(line.End());
    scenario_.steps.push_back(std::move(step));
    return {};
  }

  Status ReadAbout(std::string_view text) {
    if (!text.starts_with("#") || Trim(text.substr(1)).empty()) {
      return Status(
          Code::kInvalidArgument,
          fmt::format("{}:1:1: a scenario begins with a comment; say in it what must hold, "
                      "like '# A full machine takes nothing more.'",
                      scenario_.file));
    }
    scenario_.about = Trim(text.substr(1));
    return {};
  }

  static std::string WithoutComment(std::string_view text) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < text.size() && (quoted || text[end] != '#'); ++end) {
      if (text[end] == '"') quoted = !quoted;
    }
    return std::string(Trim(text.substr(0, end)));
  }

  Status ReadLabels(Line& line) {
    do {
      BERTH_TRY(const std::string label, line.Name("a label"));
      if (std::ranges::find(kLabels, label) == kLabels.end()) {
        return line.Error(fmt::format("{} is no label; use fast, slow, sim or e2e", Quoted(label)));
      }
      scenario_.labels.push_back(label);
    } while (!line.AtEnd());
    return {};
  }

  Status ReadAgents(Line& line) {
    constexpr std::uint32_t kAgentsMax = 64;
    BERTH_TRY(scenario_.agents, line.Count("a number of agents"));
    if (scenario_.agents < 1 || scenario_.agents > kAgentsMax) {
      return line.Error(fmt::format("there are 1 to {} agents", kAgentsMax));
    }
    if (!scenario_.steps.empty()) {
      return line.Error("agents cannot change once something happened; move the line up");
    }
    return line.End();
  }

  // A policy is a file, or the lines that follow, each behind a '|'.
  Status BeginPolicy(Line& line) {
    policy_line_ = line.number();
    policy_.clear();
    if (line.AtEnd()) return {};
    BERTH_TRY(const std::string name, line.Next("a file"));
    BERTH_RETURN_IF_ERROR(line.End());
    const std::string path = Beside(name);
    BERTH_TRY(LineReader lines, LineReader::Open(path));
    for (;;) {
      BERTH_TRY(const std::optional<std::string_view> text, lines.Next());
      if (!text) break;
      policy_ += fmt::format("{}\n", *text);
    }
    BERTH_RETURN_IF_ERROR(CheckPolicy(policy_, path));
    AddPolicy();
    return {};
  }

  Status EndPolicy() {
    if (policy_line_ == 0) return {};
    if (policy_.empty()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{}:{}:1: the policy is missing; name a file, or write it below, "
                                "each line behind a '|'",
                                scenario_.file, policy_line_));
    }
    // Checked at its place in this file, so that errors say where.
    BERTH_RETURN_IF_ERROR(CheckPolicy(std::string(policy_line_, '\n') + policy_, scenario_.file));
    AddPolicy();
    return {};
  }

  void AddPolicy() {
    DoDeed apply;
    apply.deeds.emplace_back(Request{.what = ApplyPolicy{std::move(policy_)}});
    scenario_.steps.push_back({.line = policy_line_, .text = "policy", .what = std::move(apply)});
    policy_.clear();
    policy_line_ = 0;
  }

  Status ReadStep(const std::string& verb, Line& line, ScenarioStep& step) {
    if (verb == "advance") {
      BERTH_TRY(const std::string text, line.Next("a length of time"));
      const Result<Duration> by = ParseDuration(text);
      if (!by.ok()) return line.Error(by.status().message());
      step.what = DoAdvance{by.value()};
      return {};
    }
    if (verb == "usage") return ReadUse(line, step);
    if (verb == "load") return ReadLoad(line, step);
    if (verb == "metric") return ReadMeasure(line, step);
    if (verb == "restart") {
      step.what = DoRestart{};
      return {};
    }
    if (verb == "expect") {
      BERTH_TRY(Expectation holds, ReadExpectation(line));
      step.what = DoExpect{std::move(holds)};
      return {};
    }
    if (verb == "explain") return ReadExplain(line, step);
    if (verb == "whynot") return ReadWhyNot(line, step);
    return ReadDeed(verb, line, step);
  }

  Status ReadDeed(std::string verb, Line& line, ScenarioStep& step) {
    DoDeed deed;
    if (verb == "&") {
      deed.together = true;
      BERTH_TRY(verb, line.Next("a verb"));
    }
    if (verb == "refuse" || verb == "invalid") {
      deed.wanted.answer =
          verb == "refuse" ? ExpectedReply::Answer::kRefused : ExpectedReply::Answer::kInvalid;
      verb = "service";  // Understood when no verb follows.
      if (FindVerb(line.Peek()) != nullptr) {
        BERTH_TRY(verb, line.Next("a verb"));
      }
    }
    const Verb* known = FindVerb(verb);
    if (known == nullptr) {
      return line.Error(
          fmt::format("there is no verb {}; did you mean '{}'?", Quoted(verb), Nearest(verb)));
    }
    BERTH_TRY(deed.deeds, known->read(line));
    if (line.Take("key")) {
      BERTH_TRY(const std::string key, line.Name("an idempotency key"));
      for (Deed& one : deed.deeds) {
        if (auto* request = std::get_if<Request>(&one)) request->idempotency_key = key;
      }
    }
    BERTH_RETURN_IF_ERROR(ReadWanted(line, deed.wanted));
    if (!line.AtEnd()) {
      return line.ErrorAtNext(fmt::format("this is not understood here; write {}", known->usage));
    }
    step.what = std::move(deed);
    return {};
  }

  static Status ReadWanted(Line& line, ExpectedReply& wanted) {
    if (wanted.answer == ExpectedReply::Answer::kAccepted) return {};
    if (wanted.answer == ExpectedReply::Answer::kRefused && line.Take("because")) {
      BERTH_TRY(const std::string rule, line.Name("a rule"));
      wanted.because = RuleId(rule);
    }
    if (wanted.answer == ExpectedReply::Answer::kRefused && line.Take("cure")) {
      BERTH_TRY(wanted.cure, ReadCure(line));
    }
    if (line.Take("says")) {
      BERTH_TRY(wanted.says, line.Quoted());
    }
    return {};
  }

  static Status ReadUse(Line& line, ScenarioStep& step) {
    DoUse use;
    if (line.Peek().find('/') != std::string_view::npos) {
      BERTH_TRY(InstanceId id, line.Instance());
      use.service = std::move(id.service);
      use.number = id.number;
    } else {
      BERTH_TRY(use.service, line.Name("a service"));
    }
    BERTH_RETURN_IF_ERROR(line.Expect(":"));
    BERTH_TRY(use.usage, ReadSomeAmounts(line));
    BERTH_TRY(use.span, ReadSpan(line));
    step.what = std::move(use);
    return {};
  }

  static Status ReadLoad(Line& line, ScenarioStep& step) {
    DoUse use{.together = true};
    BERTH_TRY(use.service, line.Name("a service"));
    BERTH_RETURN_IF_ERROR(line.Expect(":"));
    BERTH_TRY(use.usage, ReadSomeAmounts(line));
    BERTH_TRY(use.span, ReadSpan(line));
    step.what = std::move(use);
    return {};
  }

  static Status ReadMeasure(Line& line, ScenarioStep& step) {
    DoMeasure measure;
    BERTH_TRY(measure.service, line.Name("a service"));
    BERTH_TRY(measure.metric, line.Name("a metric"));
    BERTH_RETURN_IF_ERROR(line.Expect(":"));
    BERTH_TRY(const std::string text, line.Next("a number"));
    const Parsed<double> value = ParseNumber(text);
    if (value.error != std::errc()) return line.Error(fmt::format("{} is no number", Quoted(text)));
    measure.value = value.value;
    BERTH_TRY(measure.span, ReadSpan(line));
    step.what = std::move(measure);
    return {};
  }

  // "for 6h".
  static Result<Duration> ReadSpan(Line& line) {
    BERTH_RETURN_IF_ERROR(line.Expect("for"));
    BERTH_TRY(const std::string text, line.Next("a length of time"));
    const Result<Duration> span = ParseDuration(text);
    if (!span.ok()) return line.Error(span.status().message());
    if (span.value() > kUseMax) {
      return line.Error(
          fmt::format("{} are the most; write several lines", FormatDuration(kUseMax)));
    }
    return span.value();
  }

  static Status ReadContains(Line& line, std::vector<std::string>& contains) {
    while (line.Take("contains")) {
      BERTH_TRY(std::string text, line.Quoted());
      contains.push_back(std::move(text));
    }
    return {};
  }

  static Status ReadExplain(Line& line, ScenarioStep& step) {
    DoExplain explain;
    if (!line.Take("last")) {
      BERTH_TRY(const std::string text, line.Next("'last' or a decision"));
      BERTH_TRY(explain.decision, ParseDecisionId(line, text));
    }
    BERTH_RETURN_IF_ERROR(ReadContains(line, explain.contains));
    step.what = std::move(explain);
    return {};
  }

  static Result<DecisionId> ParseDecisionId(const Line& line, const std::string& text) {
    const std::optional<DecisionId> id = berth::ParseDecisionId(text);
    if (!id) {
      return line.Error(
          fmt::format("{} is no decision; write an agent and a number, like a0-17", Quoted(text)));
    }
    return *id;
  }

  static Status ReadWhyNot(Line& line, ScenarioStep& step) {
    DoWhyNot why;
    if (line.Peek().find('/') != std::string_view::npos) {
      BERTH_TRY(InstanceId id, line.Instance());
      why.service = std::move(id.service);
      why.number = id.number;
    } else {
      BERTH_TRY(why.service, line.Name("a service"));
    }
    BERTH_TRY(const std::string machine, line.Name("a machine"));
    why.machine = MachineId(machine);
    BERTH_RETURN_IF_ERROR(ReadContains(line, why.contains));
    step.what = std::move(why);
    return {};
  }

  std::string Beside(const std::string& name) const {
    return (std::filesystem::path(scenario_.file).parent_path() / name).string();
  }

  Scenario scenario_;
  std::string policy_;
  std::size_t policy_line_ = 0;  // 0: no policy is being read.
};

Result<Scenario> ReadFrom(LineReader lines, const std::string& file) {
  ScenarioReader reader(file);
  BERTH_RETURN_IF_ERROR(reader.Read(lines));
  return reader.Finish();
}

}  // namespace

Result<Scenario> ParseScenario(std::string_view text, const std::string& file) {
  return ReadFrom(LineReader::FromText(std::string(text), file), file);
}

Result<Scenario> ReadScenario(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  return ReadFrom(std::move(lines), path);
}

}  // namespace berth
