// Where a test finds the files it reads and the programs it runs.
#pragma once

#include <cstdlib>
#include <filesystem>

namespace berth::testing {

// The folder of the test binaries and of `berth` itself.
inline std::filesystem::path BinaryDir() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

// The top of the source tree. ctest says where; a test started by hand from build/<preset> knows.
inline std::filesystem::path SourceDir() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing in a test changes the environment.
  if (const char* set = std::getenv("BERTH_SOURCE_DIR")) return set;
  return BinaryDir().parent_path().parent_path();
}

}  // namespace berth::testing
