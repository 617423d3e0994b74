// Declares the factory of every importer in importers.def; each importer's .cc includes it.
#pragma once

#include <memory>

#include "traces/open.h"
#include "traces/source.h"
#include "traces/trace.h"

namespace berth {

#define BERTH_IMPORTER(file, factory, summary) \
  Result<std::unique_ptr<Trace>> factory(const TraceSource& source, const TraceOptions& options);
#include "traces/importers/importers.def"
#undef BERTH_IMPORTER

}  // namespace berth
