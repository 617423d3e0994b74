// What the page of `berth simulate qos` draws: both schedulers side by side (figures 6, 7 and 9 of
// the paper).
#pragma once

#include <vector>

#include "qos/metrics.h"
#include "report/qos_report.h"
#include "report/report.h"

namespace berth {

// The same requests under both schedulers, a map a class: where the promise of either is kept, and
// where both gave the same, is drawn over it.
std::vector<HeatMap> PairedMaps(const std::vector<PairedAvailabilities>& pairs,
                                const std::vector<ServiceClass>& classes);

// How far below their promise requests stayed, a plot a class that has any.
std::vector<Plot> DeficitPlots(const std::vector<QosRun>& runs,
                               const std::vector<ServiceClass>& classes);

// The share of promises kept at the end of each interval, a plot a class.
std::vector<Plot> KeptPlots(const std::vector<QosRun>& runs,
                            const std::vector<ServiceClass>& classes);

// Gini, least availability and fulfilment by contention, every class under every scheduler.
std::vector<Plot> FairnessPlots(const std::vector<QosRun>& runs,
                                const std::vector<ServiceClass>& classes,
                                const std::vector<ContentionLevel>& levels);

}  // namespace berth
