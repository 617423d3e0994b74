// Writes report.json and report.html side by side.
#pragma once

#include <span>
#include <string>

#include "berth/status.h"
#include "report/report.h"

namespace berth {

// `path` is a folder, which gets report.json and report.html, or a file name ending in .json or
// .html, which gets its twin beside it. Missing folders are made. Each file is written under a
// temporary name and renamed, so a reader sees the old one or the new one, never half of one.
// Runs that Validate refuses are not written.
Status WriteReport(const std::string& path, std::span<const Report> runs);

}  // namespace berth
