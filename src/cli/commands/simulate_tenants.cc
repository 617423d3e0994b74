#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

#include "base/decimal.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "report/json.h"
#include "report/table.h"
#include "report/tenants_report.h"
#include "report/write.h"
#include "sim/tenants/open_population.h"
#include "sim/tenants/true_models.h"

namespace berth {
namespace {

constexpr std::size_t kListMax = 100;
constexpr std::int64_t kDensityMax = 100;

struct TenantInputs {
  std::vector<std::string> populations;
  PopulationSize size;
  TenantStudyOptions study;
};

Result<std::vector<std::string_view>> PartsOf(const Invocation& given, std::string_view name) {
  std::vector<std::string_view> parts = Split(given.Text(name), ',');
  if (parts.size() > kListMax) {
    return Status(Code::kInvalidArgument, fmt::format("{} takes at most {}", name, kListMax));
  }
  return parts;
}

// A cell that is there twice would count twice.
template <typename T>
Status CheckDistinct(std::string_view name, const std::vector<T>& values) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    if (std::find(values.begin(), value, *value) != value) {
      return {Code::kInvalidArgument, fmt::format("{} names one of its values twice", name)};
    }
  }
  return {};
}

Status ReadLists(const Invocation& given, TenantInputs& inputs) {
  BERTH_TRY(const auto populations, PartsOf(given, "--population"));
  for (const std::string_view name : populations) {
    if (name != "regions") {
      inputs.populations.emplace_back(name);
      continue;
    }
    for (const PopulationRegion& region : PopulationRegions()) {
      inputs.populations.emplace_back(region.name);
    }
  }
  BERTH_RETURN_IF_ERROR(CheckDistinct("--population", inputs.populations));
  inputs.study.specs.clear();
  BERTH_TRY(const auto specs, PartsOf(given, "--spec"));
  for (const std::string_view spec : specs) {
    if (spec != "1" && spec != "2") {
      return Status(Code::kInvalidArgument, fmt::format("--spec is 1 or 2, not {}", Quoted(spec)));
    }
    inputs.study.specs.push_back(spec == "1" ? 1 : 2);
  }
  BERTH_RETURN_IF_ERROR(CheckDistinct("--spec", inputs.study.specs));
  inputs.study.densities_hundredths.clear();
  BERTH_TRY(const auto densities, PartsOf(given, "--density"));
  for (const std::string_view density : densities) {
    const Scaled scaled = ScaleExactly(density, 100, kDensityMax * 100);
    if (scaled.outcome != Scaled::Outcome::kExact || scaled.value < 1) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--density is a number from 0.01 to {} with at most 2 decimals, "
                                "not {}",
                                kDensityMax, Quoted(density)));
    }
    inputs.study.densities_hundredths.push_back(static_cast<std::uint32_t>(scaled.value));
  }
  BERTH_RETURN_IF_ERROR(CheckDistinct("--density", inputs.study.densities_hundredths));
  BERTH_TRY(inputs.study.techniques, ParseTechniqueNames(given.Text("--technique")));
  return {};
}

// 0: it is no such number.
std::uint32_t CountWithin(std::string_view text, std::int64_t least, std::int64_t most) {
  const Parsed<std::int64_t> count = ParseInteger(text);
  if (count.error != std::errc() || count.value < least || count.value > most) return 0;
  return static_cast<std::uint32_t>(count.value);
}

// Of each kind at least as many as a tenant has replicas: with fewer some tenants fit nowhere.
Status ReadDomains(const Invocation& given, TenantStudyOptions& study) {
  if (!given.Has("--domains")) return {};
  const std::uint32_t least =
      std::ranges::max(PopulationClasses(), {}, &PopulationClass::replicas).replicas;
  const std::vector<std::string_view> parts = Split(given.Text("--domains"), 'x');
  study.domains = {.fault = CountWithin(parts.front(), least, study.nodes),
                   .update = CountWithin(parts.back(), least, study.nodes)};
  if (parts.size() == 2 && study.domains.fault > 0 && study.domains.update > 0) return {};
  return {Code::kInvalidArgument,
          fmt::format("--domains is fault by update domains, such as 5x10, each from {} (the most "
                      "replicas of a tenant) to {} (the nodes), not {}",
                      least, study.nodes, Quoted(given.Text("--domains")))};
}

Status CheckTruth(const TenantInputs& inputs) {
  const bool wanted = std::ranges::any_of(inputs.study.techniques, &TechniqueName::truth);
  if (!wanted || inputs.size.tenants <= kTrueModelsMax) return {};
  return {Code::kInvalidArgument,
          fmt::format("+truth tells at most {} tenants apart; draw from fewer --tenants",
                      kTrueModelsMax)};
}

Result<TenantInputs> ReadTenantInputs(const Invocation& given) {
  TenantInputs inputs;
  BERTH_RETURN_IF_ERROR(ReadLists(given, inputs));
  TenantStudyOptions& study = inputs.study;
  BERTH_TRY(study.hours, given.NumberWithin("--hours", 1, 10'000));
  BERTH_TRY(study.repetitions, given.NumberWithin("--repetitions", 1, 10'000));
  BERTH_TRY(study.nodes, given.NumberWithin("--nodes", 1, 1'000));
  BERTH_RETURN_IF_ERROR(ReadDomains(given, study));
  BERTH_TRY(study.workers, given.NumberWithin("--workers", 0, 1'000));
  if (study.workers == 0) study.workers = CoreCount();
  study.seed = given.Number("--seed");
  BERTH_TRY(inputs.size.tenants, given.NumberWithin("--tenants", 1, 1'000'000));
  BERTH_TRY(inputs.size.library, given.NumberWithin("--library", 1, 1'000'000));
  inputs.size.oldest = static_cast<Step>(study.hours) * kStepsPerHour;
  BERTH_RETURN_IF_ERROR(CheckTruth(inputs));
  return inputs;
}

Status CheckPrimaries(const TenantPopulation& population) {
  for (std::size_t i = 0; i < population.pool.size(); ++i) {
    if (population.pool.tenant(i).role == TenantRole::kPrimary) return {};
  }
  return {Code::kInvalidArgument,
          fmt::format("--domains places primaries with their secondaries, and of {} of {} none "
                      "is a primary; draw from more --tenants",
                      Plural(population.pool.size(), "tenant"), population.name)};
}

Result<std::vector<TenantCell>> Study(const TenantInputs& inputs) {
  std::vector<TenantCell> cells;
  const std::uint64_t runs = RunsOf(inputs.study);
  Progress progress("rehearsing, runs", inputs.populations.size() * runs, WallClock);
  for (std::size_t i = 0; i < inputs.populations.size(); ++i) {
    BERTH_TRY(const TenantPopulation population,
              OpenPopulation(inputs.populations[i], inputs.size, inputs.study.seed,
                             inputs.study.workers));
    if (inputs.study.domains.any()) BERTH_RETURN_IF_ERROR(CheckPrimaries(population));
    std::vector<TenantCell> own = StudyTenants(
        population, inputs.study, [&](std::uint64_t done) { progress.Update(i * runs + done); });
    std::ranges::move(own, std::back_inserter(cells));
  }
  return cells;
}

int RunSimulateTenants(const Invocation& given, Console& console) {
  const Result<TenantInputs> inputs = ReadTenantInputs(given);
  if (!inputs.ok()) return console.Fail(inputs.status());
  const Result<std::vector<TenantCell>> cells = Study(inputs.value());
  if (!cells.ok()) return console.Fail(cells.status());
  const Report report = TenantsReport(
      cells.value(), inputs.value().study,
      CommandLine(SimulateTenantsCommand(), given, {"--json", "--report", "--workers"}));
  if (given.Has("--report")) {
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  if (given.Has("--json")) {
    console.out << ToJson(report);
    return kExitOk;
  }
  for (const Fact& fact : report.facts) {
    console.out << fmt::format("{}: {} ({})\n", fact.name, fact.value, fact.note);
  }
  for (const Table& table : report.tables) console.out << '\n' << FormatTable(table);
  if (given.Has("--report")) {
    console.out << fmt::format("\nReport: {0}/report.html, {0}/report.json\n",
                               given.Text("--report"));
  }
  return kExitOk;
}

std::vector<std::string> KnownPopulations() {
  std::vector<std::string> known = {"regions"};
  for (const PopulationRegion& region : PopulationRegions()) known.emplace_back(region.name);
  for (const PopulationFormat& format : PopulationFormats()) {
    known.push_back(fmt::format("{}:", format.name));
  }
  return known;
}

std::vector<std::string> KnownTechniques() {
  std::vector<std::string> known = {"all"};
  for (const TechniqueEntry& entry : BuiltinTechniques()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command SimulateTenantsCommand() {
  return {
      .words = "simulate tenants",
      .summary = "rehearse an over-subscribed cluster and count violations by placement technique",
      .arguments = {},
      .options =
          {{"--population", "LIST",
            "region-1 to region-4, regions for all four, or FORMAT:FILE with real usage", false,
            "region-1", KnownPopulations},
           {"--spec", "LIST", "1: nodes of 80 vCores, 408 GiB and 5 TB; 2: of 128 cores", false,
            "1"},
           {"--density", "LIST", "cores promised over cores there are, kept by admitting tenants",
            false, "2.5"},
           {"--technique", "LIST",
            "see `berth list techniques`; all: each but annealing and policies, and with the "
            "oracle those without the estimate",
            false, "worst_fit_max,prv_worst_fit", KnownTechniques},
           {"--hours", "N", "of virtual time", false, "300"},
           {"--repetitions", "N", "each with other tenants, the same for every technique", false,
            "20"},
           {"--nodes", "N", "of the cluster", false, "40"},
           {"--domains", "FxU",
            "tenants come with all their replicas, no two on one node, in one of F fault or in one "
            "of U update domains; node i is in fault domain i mod F and update domain i mod U"},
           {"--tenants", "N", "how many different ones there are to draw from", false, "10000"},
           {"--library", "N", "how many past ones the estimate knows, all others", false, "20000"},
           {"--workers", "N", "threads; 0: one a core. They do not show in the result", false, "0"},
           {"--seed", "N", "of everything that is drawn", false, "1"},
           {"--report", "DIR", "write report.html and report.json there"},
           kJsonOption},
      .examples = {"berth simulate tenants --hours 12 --repetitions 2 --nodes 10 --tenants 500 "
                   "--library 500 --technique worst_fit_max,worst_fit_max+oracle,prv_worst_fit",
                   "berth simulate tenants --hours 2 --repetitions 1 --nodes 4 --tenants 200 "
                   "--library 200 --technique annealing,policy:testdata/policies/tenants_prv.yaml",
                   "berth simulate tenants --hours 6 --repetitions 1 --nodes 20 --tenants 500 "
                   "--library 500 --domains 5x10 --technique annealing,prv_annealing",
                   "berth simulate tenants --hours 6 --repetitions 1 --nodes 5 --tenants 200 "
                   "--library 200 --density 2.2,2.6 --spec 1,2 --technique all --report "
                   "berth-report-tenants"},
      .run = RunSimulateTenants};
}

}  // namespace berth
