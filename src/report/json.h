// report.json: the machine-readable form of one or several runs, schema "berth.report/1".
//
//   {"schema": "berth.report/1",
//    "runs": [{"title", "subtitle", "command", "seed", "paragraphs": [text],
//              "facts":  [{"name", "value", "note"}],
//              "tables": [{"title", "note", "columns": [{"name", "unit", "right_aligned"}],
//                          "rows": [[text, number or null]]}],
//              "plots":  [{"title", "note", "x": {"label", "kind"}, "y": {"label", "unit",
//              "scale"},
//                          "series": [{"name", "kind", "x": [number], "y": [number or null]}]}]}]}
//
// x.kind is time (seconds) or number; y.scale linear or log; a series' kind line, step, bars or
// points. The seed is text, because JSON readers keep 53 bits. Keys come in this order, numbers in
// the shortest form that reads back the same; NaN and infinities are null.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "report/report.h"

namespace berth {

std::string ToJson(std::span<const Report> runs);
std::string ToJson(const Report& run);

// Reads what ToJson wrote. Ignores keys it does not know; anything missing, of another type or
// refused by Validate is an error that names the place.
Result<std::vector<Report>> ParseReportJson(std::string_view text);

}  // namespace berth
