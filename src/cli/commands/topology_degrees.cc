#include <ostream>

#include "apptopo/open.h"
#include "cli/commands/builtin.h"
#include "report/table.h"
#include "report/topology_report.h"

namespace berth {
namespace {

// Every application is tested with the same draws: neither order nor company changes a verdict.
Result<TestedTopology> TestTopology(const std::string& file, std::uint64_t seed) {
  BERTH_TRY(const ServiceGraph graph, ReadTopology(file));
  const std::vector<std::size_t> degrees = DegreesOf(graph);
  TestedTopology tested{.file = file, .services = degrees.size()};
  if (tested.counts()) {
    tested.at_one = TestDegrees(degrees, SkewThreshold::kOne, Rng(seed));
    tested.at_two = TestDegrees(degrees, SkewThreshold::kTwo, Rng(seed));
  }
  return tested;
}

int RunTopologyTest(const Invocation& given, Console& console) {
  std::vector<TestedTopology> all;
  for (const std::string& file : given.Texts("FILE")) {
    Result<TestedTopology> tested = TestTopology(file, given.Number("--seed"));
    if (!tested.ok()) return console.Fail(tested.status());
    all.push_back(std::move(tested).value());
  }
  if (given.Has("--json")) {
    console.out << ToJson(all);
    return kExitOk;
  }
  console.out << FormatTable(DegreeVerdictTable(all)) << '\n' << FormatTable(DegreeFormTable(all));
  return kExitOk;
}

}  // namespace

Command TopologyTest() {
  return {.words = "topology test",
          .summary = "tell which distribution the degrees of topologies follow",
          .arguments = {{"FILE", "one an application; as for `berth topology show`", true}},
          .options = {{"--seed", "N", "of the draws of the test of uniformity", false, "1"},
                      kJsonOption},
          .examples = {"berth topology test testdata/apptopo/shop.yaml "
                       "testdata/apptopo/traces.json"},
          .run = RunTopologyTest};
}

}  // namespace berth
