// `berth simulate app` of a folder with the files of the public Multiverse simulator.
#pragma once

#include <cstddef>
#include <string>

#include "cli/command.h"
#include "report/report.h"

namespace berth {

// As the options of the command say; `command` is what to type to do it again.
Result<Report> SimulateMultiverse(const Invocation& given, std::size_t workers,
                                  std::string command);

}  // namespace berth
