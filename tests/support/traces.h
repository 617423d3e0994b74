// What the tests of traces share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/paths.h"
#include "traces/importers/builtin.h"
#include "traces/trace.h"
#include "traces/write.h"

namespace berth {

inline std::string TestFile(const std::string& path) {
  return (testing::SourceDir() / "testdata" / path).string();
}

// The trace's arrivals to its end; an error fails the test.
inline std::vector<Arrival> ReadAll(Trace& trace) {
  std::vector<Arrival> arrivals;
  for (;;) {
    Result<std::optional<Arrival>> next = trace.Next();
    if (!next.ok()) ADD_FAILURE() << next.status().message();
    if (!next.ok() || !next.value()) return arrivals;
    arrivals.push_back(*std::move(next).value());
  }
}

// What is wrong with a trace, found at opening or while reading.
inline std::string FirstError(Result<std::unique_ptr<Trace>> trace) {
  if (!trace.ok()) return trace.status().message();
  for (;;) {
    const Result<std::optional<Arrival>> next = trace.value()->Next();
    if (!next.ok()) return next.status().message();
    if (!next.value()) return "no error";
  }
}

// The trace in Berth's own format.
inline std::string Written(Trace& trace) {
  std::string text;
  const Status status = WriteTrace(trace, [&](std::string_view piece) {
    text += piece;
    return Status();
  });
  EXPECT_TRUE(status.ok()) << status.message();
  return text;
}

}  // namespace berth
