// A Table as plain text, for people at a terminal.
#pragma once

#include <string>

#include "report/report.h"

namespace berth {

// Title, header, a rule, the rows and the note, a line each, columns two spaces apart:
//
//   Packing by cluster
//   cluster  machines  cpu (%)
//   -------  --------  -------
//   west-1      1,200     73.2
//
// The numbers of a column share their decimals; a missing one is "-". Widths count code points.
// Control characters become spaces, so no cell can break the layout or steer the terminal.
std::string FormatTable(const Table& table);

}  // namespace berth
