// report.html: one page for people, with every plot and table of one or several runs.
#pragma once

#include <span>
#include <string>

#include "report/report.h"

namespace berth {

// The whole page in one file: data, script and style are inside, nothing is fetched, and it works
// from file://. Its content security policy names the script and the style by hash, so text in a
// report is never run. Several runs get a table that compares their facts.
std::string ToHtml(std::span<const Report> runs);

}  // namespace berth
