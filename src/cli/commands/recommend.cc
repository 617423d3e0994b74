#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>
#include <utility>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/sizing_options.h"
#include "rightsize/advise.h"

namespace berth {
namespace {

constexpr std::string_view kDefaultRecommender = "weighed_ensemble";

// Of one service, by resource.
struct Recommended {
  std::string service;
  std::optional<SizeRecommendation> cpu;
  std::optional<SizeRecommendation> memory;
};

Result<SizingSettings> ReadSettings(const Invocation& given) {
  BERTH_TRY(const Sized kind, ReadSizedKind(given));
  const ServiceSizing others{.recommender = given.Text("--recommender"),
                             .cpu_kind = kind.cpu,
                             .oom_tolerance = kind.oom,
                             .cpu = {},
                             .memory = {}};
  BERTH_RETURN_IF_ERROR(CheckRecommenderName(others.recommender));
  if (given.Has("--settings")) return ReadSizingSettings(given.Text("--settings"), others);
  return SizingSettings{.others = others, .services = {}};
}

using RecommendedPart = std::optional<SizeRecommendation> Recommended::*;

RecommendedPart PartOf(Resource resource) {
  return resource == Resource::kCpu ? &Recommended::cpu : &Recommended::memory;
}

// Services of which little is known, or nothing, get what those like them have.
void RecommendFirstSizes(const std::vector<ServiceUsage>& services, const SizingSettings& settings,
                         std::vector<Recommended>& all) {
  for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
    const RecommendedPart part = PartOf(resource);
    std::vector<KnownSize> known;
    for (const Recommended& each : all) {
      if (!(each.*part)) continue;
      const ServiceSizing& sizing = settings.Of(each.service);
      known.push_back({each.service, sizing.tenant, sizing.type, (each.*part)->advice.target});
    }
    for (Recommended& each : all) {
      const auto usage = std::ranges::find(services, each.service, &ServiceUsage::service);
      const std::int64_t request = usage == services.end() ? 0 : usage->asked[resource];
      if (each.*part || (usage != services.end() && !IsUsed(*usage, resource))) continue;
      each.*part =
          RecommendFirstSize(each.service, resource, request, settings.Of(each.service), known);
    }
  }
}

// Little is more than nothing, where nobody is like a service and its owner asked for nothing.
Status RecommendFromLittle(const std::vector<ServiceUsage>& services,
                           const SizingSettings& settings, RecommenderChoice& choice,
                           std::vector<Recommended>& all) {
  for (const ServiceUsage& usage : services) {
    Recommended& each = *std::ranges::find(all, usage.service, &Recommended::service);
    for (const Resource resource : {Resource::kCpu, Resource::kMemory}) {
      const RecommendedPart part = PartOf(resource);
      if (each.*part) continue;
      BERTH_TRY(each.*part, RecommendSize(usage, resource, settings.Of(usage.service), choice));
    }
  }
  return {};
}

Result<std::vector<Recommended>> RecommendAll(const Invocation& given, RecommenderChoice& choice) {
  BERTH_TRY(const SizingSettings settings, ReadSettings(given));
  BERTH_TRY(const std::vector<ServiceUsage> services, ReadUsageOption(given));
  std::map<std::string, Recommended> all;
  for (const auto& [name, sizing] : settings.services) all[name].service = name;
  for (const ServiceUsage& usage : services) {
    const ServiceSizing& sizing = settings.Of(usage.service);
    Recommended& recommended = all[usage.service];
    recommended.service = usage.service;
    if (usage.windows.size() < kFewWindows) continue;
    BERTH_TRY(recommended.cpu, RecommendSize(usage, Resource::kCpu, sizing, choice));
    BERTH_TRY(recommended.memory, RecommendSize(usage, Resource::kMemory, sizing, choice));
  }
  std::vector<Recommended> sorted;
  sorted.reserve(all.size());
  for (auto& [name, recommended] : all) sorted.push_back(std::move(recommended));
  RecommendFirstSizes(services, settings, sorted);
  BERTH_RETURN_IF_ERROR(RecommendFromLittle(services, settings, choice, sorted));
  return sorted;
}

Table RecommendationTable(const std::vector<Recommended>& all) {
  Table table{.title = "Recommendations",
              .note =
                  "Of one instance; the same for all of a service. Between lower and upper a "
                  "limit need not be changed.",
              .columns = {{.name = "service"},
                          {.name = "resource"},
                          {.name = "now", .right_aligned = true},
                          {.name = "target", .right_aligned = true},
                          {.name = "lower", .right_aligned = true},
                          {.name = "upper", .right_aligned = true},
                          {.name = "why"}}};
  for (const Recommended& each : all) {
    for (const auto* one : {&each.cpu, &each.memory}) {
      if (!*one) continue;
      const SizeRecommendation& found = **one;
      const auto amount = [&](std::int64_t value) { return FormatAmount(found.resource, value); };
      table.rows.push_back({found.service, found.resource == Resource::kCpu ? "cpu" : "memory",
                            found.now == 0 ? "-" : amount(found.now), amount(found.advice.target),
                            amount(found.advice.lower), amount(found.advice.upper), found.why});
    }
  }
  return table;
}

// What Kubernetes takes as the name of an object: nothing else goes into what a shell will read.
Status CheckObjectName(std::string_view name) {
  constexpr std::size_t kNameMax = 63;
  const auto good = [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
  };
  if (!name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, good) &&
      name.front() != '-' && name.back() != '-') {
    return {};
  }
  return {Code::kInvalidArgument,
          fmt::format("{} is no name of an object in Kubernetes, which has at most {} small "
                      "letters, digits and -; leave --format out",
                      Quoted(name), kNameMax)};
}

using AmountOf = std::int64_t SizeAdvice::*;

// "cpu: 500m, memory: 1Gi", or in JSON.
std::string Amounts(const Recommended& each, AmountOf which, bool json) {
  std::string text;
  for (const auto* one : {&each.cpu, &each.memory}) {
    if (!*one) continue;
    const std::string_view name = (*one)->resource == Resource::kCpu ? "cpu" : "memory";
    const std::string amount = FormatAmount((*one)->resource, (*one)->advice.*which);
    text += fmt::format(fmt::runtime(json ? "{}\"{}\":\"{}\"" : "{}{}: {}"),
                        text.empty() ? "" : (json ? "," : ", "), name, amount);
  }
  return text;
}

// The request is what is reserved, and soft: an instance may take more while there is room. Of
// memory there is a hard limit, too, above which it is killed.
void PrintAsYaml(const Recommended& each, std::ostream& out) {
  out << fmt::format("{}:\n  resources:\n    requests: {{{}}}\n", each.service,
                     Amounts(each, &SizeAdvice::target, false));
  if (each.memory) {
    out << fmt::format("    limits: {{memory: {}}}\n",
                       FormatAmount(Resource::kMemory, each.memory->advice.upper));
  }
}

void PrintAsPatch(const Recommended& each, std::ostream& out) {
  std::string limits;
  if (each.memory) {
    limits = fmt::format(",\"limits\":{{\"memory\":\"{}\"}}",
                         FormatAmount(Resource::kMemory, each.memory->advice.upper));
  }
  out << fmt::format(
      "kubectl patch deployment {0} --type strategic -p "
      "'{{\"spec\":{{\"template\":{{\"spec\":{{\"containers\":[{{\"name\":\"{0}\",\"resources\":{{"
      "\"requests\":{{{1}}}{2}}}}}]}}}}}}}}'\n",
      each.service, Amounts(each, &SizeAdvice::target, true), limits);
}

void PrintAsVpa(const Recommended& each, std::ostream& out) {
  out << fmt::format(
      "---\napiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata:\n"
      "  name: {0}\nspec:\n  targetRef: {{apiVersion: apps/v1, kind: Deployment, name: {0}}}\n"
      "  updatePolicy: {{updateMode: Initial}}\n  resourcePolicy:\n    containerPolicies:\n"
      "      - containerName: {0}\n        minAllowed: {{{1}}}\n        maxAllowed: {{{2}}}\n",
      each.service, Amounts(each, &SizeAdvice::lower, false),
      Amounts(each, &SizeAdvice::upper, false));
}

struct KubernetesFormat {
  std::string_view name;
  void (*print)(const Recommended&, std::ostream&);
};
constexpr KubernetesFormat kFormats[] = {
    {"vpa", &PrintAsVpa}, {"patch", &PrintAsPatch}, {"yaml", &PrintAsYaml}};

std::vector<std::string> KnownFormats() {
  std::vector<std::string> known;
  for (const KubernetesFormat& format : kFormats) known.emplace_back(format.name);
  return known;
}

int PrintFormatted(const Invocation& given, Console& console, const std::vector<Recommended>& all) {
  const auto* const format =
      std::ranges::find(kFormats, given.Text("--format"), &KubernetesFormat::name);
  if (format == std::end(kFormats)) {
    return console.Fail(
        fmt::format("--format is vpa, patch or yaml, not {}", Quoted(given.Text("--format"))));
  }
  for (const Recommended& each : all) {
    const Status status = CheckObjectName(each.service);
    if (!status.ok()) return console.Fail(status);
  }
  for (const Recommended& each : all) {
    if (each.cpu || each.memory) format->print(each, console.out);
  }
  return kExitOk;
}

int RunRecommend(const Invocation& given, Console& console) {
  RecommenderChoice choice;
  const Result<std::vector<Recommended>> all = RecommendAll(given, choice);
  if (!all.ok()) return console.Fail(all.status());
  PrintTroubles(choice, console);
  if (given.Has("--format")) return PrintFormatted(given, console, all.value());
  return PrintTable(given, console, RecommendationTable(all.value()));
}

}  // namespace

Command RecommendCommand() {
  return {.words = "recommend",
          .summary = "say how large the instances of every service should be, and why",
          .arguments = {},
          .options = {kUsageOption,
                      {"--recommender", "NAME",
                       "see `berth list recommenders`, and docs/external.md for external:PROGRAM",
                       false, kDefaultRecommender, KnownRecommenders},
                      kCpuKindOption,
                      kOomToleranceOption,
                      {"--settings", "FILE",
                       "bounds and kinds by service, and the largest machine; see "
                       "docs/rightsizing.md"},
                      {"--format",
                       "NAME",
                       "what Kubernetes takes: vpa, patch (kubectl commands) or yaml (values)",
                       false,
                       {},
                       KnownFormats},
                      kJsonOption},
          .examples = {"berth recommend --usage testdata/rightsizing/usage.csv.gz",
                       "berth recommend --usage testdata/rightsizing/usage.csv.gz --settings "
                       "testdata/rightsizing/settings.yaml --format patch"},
          .run = RunRecommend};
}

}  // namespace berth
