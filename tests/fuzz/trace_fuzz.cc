// Whatever bytes a trace file holds, each importer answers with arrivals in order or with an error
// that names the file.
#include <string>

#include "berth/check.h"
#include "fuzz/target.h"
#include "traces/open.h"
#include "traces/write.h"

namespace {

using berth::Arrival;
using berth::ImporterEntry;
using berth::Result;
using berth::Status;
using berth::Trace;
using berth::TraceOptions;
using berth::TraceSource;

constexpr std::string_view kFile = "fuzz.csv";
// A short row may ask for 100,000 instances: what is read of them is enough.
constexpr std::size_t kArrivalsMax = 2'000;
constexpr std::size_t kWrittenBytesMax = std::size_t{256} << 10;

bool NamesTheFile(const Status& status) { return status.message().starts_with(kFile); }

// The trace in Berth's own format, or nothing if it cannot be read or written.
std::string Written(const ImporterEntry& importer, const std::string& text,
                    const TraceOptions& options) {
  Result<std::unique_ptr<Trace>> trace =
      importer.open(TraceSource::Memory(text, std::string(kFile)), options);
  if (!trace.ok()) {
    BERTH_CHECK(NamesTheFile(trace.status()));
    return {};
  }
  std::string written;
  const Status status = berth::WriteTrace(*trace.value(), [&](std::string_view piece) {
    written += piece;
    return written.size() > kWrittenBytesMax
               ? Status(berth::Code::kInvalidArgument, "longer than is worth reading back")
               : Status();
  });
  return status.ok() ? written : std::string();
}

void ReadToTheEnd(const ImporterEntry& importer, const std::string& text,
                  const TraceOptions& options) {
  Result<std::unique_ptr<Trace>> trace =
      importer.open(TraceSource::Memory(text, std::string(kFile)), options);
  if (!trace.ok()) return;
  berth::Time last;
  for (std::size_t i = 0; i < kArrivalsMax; ++i) {
    Result<std::optional<Arrival>> next = trace.value()->Next();
    if (!next.ok()) {
      BERTH_CHECK(NamesTheFile(next.status()));
      return;
    }
    if (!next.value()) return;
    BERTH_CHECK(next.value()->at >= last);
    BERTH_CHECK(next.value()->service.InstanceCount() > 0);
    last = next.value()->at;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const ImporterEntry& own = berth::BuiltinImporters().front();
  for (const ImporterEntry& importer : berth::BuiltinImporters()) {
    for (const bool as_gang : {false, true}) {
      const TraceOptions options{.seed = 1, .batch_as_gang = as_gang};
      ReadToTheEnd(importer, text, options);
      // What was written reads back as what was written.
      const std::string written = Written(importer, text, options);
      if (!written.empty()) BERTH_CHECK(Written(own, written, options) == written);
    }
  }
  return 0;
}
