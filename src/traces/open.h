// Opening a trace by format and file, and which formats there are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "berth/status.h"
#include "traces/source.h"
#include "traces/trace.h"

namespace berth {

struct TraceOptions {
  std::uint64_t seed = 1;      // Of whatever the file leaves open, such as a lifetime in its bin.
  bool batch_as_gang = false;  // What came as one batch is placed whole or not at all.
};

// `where` is FILE, in Berth's own format, or IMPORTER:FILE; "-" is standard input.
Result<std::unique_ptr<Trace>> OpenTrace(std::string_view where, const TraceOptions& options);

struct ImporterEntry {
  std::string_view name;
  std::string_view summary;
  Result<std::unique_ptr<Trace>> (*open)(const TraceSource& source, const TraceOptions& options);
};
std::span<const ImporterEntry> BuiltinImporters();

}  // namespace berth
