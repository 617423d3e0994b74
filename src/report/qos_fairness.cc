#include "report/qos_fairness.h"

#include <algorithm>

#include "qos/class_terms.h"

namespace berth {

std::vector<ContentionLevel> ContentionLevels(const QosResult& priority,
                                              const std::vector<ServiceClass>& classes) {
  std::vector<std::uint32_t> ranks;
  for (const ClassTerms& terms : TermsOf(classes)) ranks.push_back(terms.rank);
  std::vector<ContentionLevel> levels;
  for (const std::vector<ClassInInterval>& interval : priority.intervals)
    levels.push_back(LevelOf(interval, ranks));
  return levels;
}

FairnessSamples FairnessOf(const QosResult& result, const std::vector<ContentionLevel>& levels,
                           ContentionLevel level, std::size_t klass) {
  FairnessSamples samples;
  const std::size_t both = std::min(levels.size(), result.intervals.size());
  for (std::size_t i = 0; i < both; ++i) {
    const ClassInInterval& interval = result.intervals[i][klass];
    if (levels[i] != level || interval.active == 0) continue;
    samples.gini.push_back(interval.gini);
    samples.least.push_back(interval.least);
    samples.fulfilled.push_back(static_cast<double>(interval.fulfilled) /
                                static_cast<double>(interval.active));
  }
  return samples;
}

}  // namespace berth
