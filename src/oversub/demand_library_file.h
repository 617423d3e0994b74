// Demand traces' models in a file: what `berth demand fit` writes and `berth serve --demand` reads.
//
// All numbers little-endian: "BERTHDM1", the number of classes (32 bits) and of models (64), each
// class's name with its length (16) before it, 47 bytes a model, and a checksum (64) of all before.
#pragma once

#include <string>
#include <string_view>

#include "berth/status.h"
#include "oversub/trace_library.h"

namespace berth {

std::string EncodeDemandLibrary(const TraceLibrary& library);
// Refuses what is cut short, damaged, or no sound model; `file_name` is for messages.
Result<TraceLibrary> DecodeDemandLibrary(std::string_view bytes, std::string_view file_name);

Status WriteDemandLibrary(const TraceLibrary& library, const std::string& path);
Result<TraceLibrary> ReadDemandLibrary(const std::string& path);

}  // namespace berth
