// The authors' simulator logged, for every allocation, the costs of the last two hosts it compared
// and which it took. Ours must rank them the same way.
#include <gtest/gtest.h>

#include <sstream>

#include "base/lines.h"
#include "fleet/settings.h"
#include "qos/cost_tuple.h"
#include "real_data/data_dir.h"

namespace berth {
namespace {

// "{0,-11.8,0,-11.8}": leeway less margin in seconds of the one victim, of its class if it is at
// risk, and in any case in the last place.
CostTuple ParseCost(std::string text, const std::vector<ClassTerms>& classes) {
  for (char& c : text) c = c == '{' || c == '}' || c == ',' ? ' ' : c;
  std::istringstream in(text);
  double of_class[3] = {};
  double last = 0;
  in >> of_class[0] >> of_class[1] >> of_class[2] >> last;
  EXPECT_FALSE(in.fail()) << text;
  std::size_t klass = 2;
  for (std::size_t i = 0; i < 3; ++i) klass = of_class[i] < 0 ? i : klass;
  EXPECT_TRUE(last >= 0 || last == of_class[klass]) << text;
  CostTuple cost(3);
  const ClassTerms& terms = classes[klass];
  // In billionths of a second times the target, so that no digit of the log is lost.
  const Duration above(static_cast<std::int64_t>(last * 1e9 + (last < 0 ? -0.5 : 0.5)));
  cost.Add({.target_ppm = terms.target_ppm, .rank = terms.rank, .margin = {}},
           {Wide{above.count()} * terms.target_ppm, terms.target_ppm});
  return cost;
}

struct Replay {
  int compared = 0;
  int better = 0;
  int equal = 0;
};

Replay Compare(const std::string& file) {
  Replay replay;
  const std::vector<ClassTerms> classes = TermsOf(DefaultFleetSettings().classes);
  auto lines = LineReader::Open(file);
  EXPECT_TRUE(lines.ok());
  for (;;) {
    auto line = lines.value().Next();
    EXPECT_TRUE(line.ok());
    if (!line.value()) return replay;
    if (line.value()->empty() || line.value()->starts_with('#')) continue;
    std::istringstream in{std::string(*line.value())};
    std::vector<std::string> fields(9);
    for (std::string& field : fields) in >> field;
    if (fields[7] == "null") continue;
    EXPECT_EQ(fields[5] + fields[6], "11") << "one victim each";
    const auto order = ParseCost(fields[8], classes) <=> ParseCost(fields[7], classes);
    ++replay.compared;
    replay.better += order < 0 ? 1 : 0;
    replay.equal += order == 0 ? 1 : 0;
  }
}

TEST(RealDataQosHostSelection, EveryComparisonIsDecidedAsTheAuthorsDid) {
  for (const auto& [name, comparisons] : {std::pair("validation1", 4'637),  //
                                          std::pair("validation2", 2'415)}) {
    const std::string file =
        testing::DataFile(std::string("seed_qos_driven/results/") + name +
                          "_simulation_slo-driven_HostSelection_Sch_Agent_1.dat.gz");
    BERTH_SKIP_WITHOUT(file);
    const Replay replay = Compare(file);
    EXPECT_EQ(replay.compared, comparisons) << name;
    EXPECT_EQ(replay.better + replay.equal, replay.compared) << name;
    EXPECT_GT(replay.better, replay.compared / 2) << name;
  }
}

}  // namespace
}  // namespace berth
