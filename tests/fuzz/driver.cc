// Runs a fuzz target over its seeds, in place of libFuzzer:
//
//   x_fuzz [file or folder...]
//
// The empty input always runs, then every file in the order of names, then each file cut short at a
// few places: what a reader is most often handed and least often ready for.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "fuzz/target.h"

namespace {

constexpr std::size_t kCutsMax = 64;

void Run(const std::string& bytes, std::size_t size) {
  // A copy of exactly this size, so that the address sanitizer sees a read past its end.
  std::vector<std::uint8_t> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  exact.shrink_to_fit();
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

std::vector<std::filesystem::path> Seeds(const std::filesystem::path& path) {
  std::error_code none;
  if (std::filesystem::is_regular_file(path, none)) return {path};
  std::vector<std::filesystem::path> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(path, none)) {
    if (entry.is_regular_file()) seeds.push_back(entry.path());
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  Run("", 0);
  for (int i = 1; i < argc; ++i) {
    for (const std::filesystem::path& seed : Seeds(argv[i])) {
      // Named first: a target that fails ends the process.
      std::printf("%s\n", seed.c_str());
      std::fflush(stdout);
      std::ifstream file(seed, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      Run(bytes, bytes.size());
      const std::size_t step = bytes.size() / kCutsMax + 1;
      for (std::size_t size = step; size < bytes.size(); size += step) Run(bytes, size);
    }
  }
  std::printf("all seeds ran\n");
}
