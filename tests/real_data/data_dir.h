// Where the published data is, if it is at hand: BERTH_DATA_DIR, or ../shared/data beside the
// source.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "support/paths.h"

namespace berth::testing {

inline std::string DataFile(std::string_view name) {
  const char* given = std::getenv("BERTH_DATA_DIR");  // NOLINT(concurrency-mt-unsafe)
  const std::filesystem::path folder =
      given != nullptr ? std::filesystem::path(given) : SourceDir() / ".." / "shared" / "data";
  return (folder / name).string();
}

}  // namespace berth::testing

#define BERTH_SKIP_WITHOUT(file)                                                      \
  if (!std::filesystem::exists(file)) {                                               \
    GTEST_SKIP() << (file) << " is not there; set BERTH_DATA_DIR to the data folder"; \
  }
