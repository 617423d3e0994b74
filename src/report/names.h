// The words report.json uses for the enums of report.h.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "report/report.h"

namespace berth {

inline constexpr std::string_view kReportSchema = "berth.report/1";

inline constexpr std::array<std::pair<PlotXKind, std::string_view>, 2> kPlotXKindNames{
    {{PlotXKind::kTime, "time"}, {PlotXKind::kNumber, "number"}}};

inline constexpr std::array<std::pair<PlotYScale, std::string_view>, 2> kPlotYScaleNames{
    {{PlotYScale::kLinear, "linear"}, {PlotYScale::kLog, "log"}}};

inline constexpr std::array<std::pair<PlotSeriesKind, std::string_view>, 4> kPlotSeriesKindNames{
    {{PlotSeriesKind::kLine, "line"},
     {PlotSeriesKind::kStep, "step"},
     {PlotSeriesKind::kBars, "bars"},
     {PlotSeriesKind::kPoints, "points"}}};

}  // namespace berth
