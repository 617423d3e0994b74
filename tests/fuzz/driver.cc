// Runs a fuzz target without libFuzzer:
//
//   x_fuzz [--runs N] [file or folder...]
//
// The empty input always runs, then every seed in the order of names, then each cut short at a few
// places: what a reader is most often handed and least often ready for. With --runs, then so many
// inputs made from the seeds by small changes, always the same ones. The one that runs is in
// x_fuzz.last, in the working directory: whoever fails leaves it there.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz/mutate.h"
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

std::string RunSeed(const std::filesystem::path& seed) {
  // Named first: a target that fails ends the process.
  std::printf("%s\n", seed.c_str());
  std::fflush(stdout);
  std::ifstream file(seed, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  Run(bytes, bytes.size());
  const std::size_t step = bytes.size() / kCutsMax + 1;
  for (std::size_t size = step; size < bytes.size(); size += step) Run(bytes, size);
  return bytes;
}

void RunMutated(const std::vector<std::string>& seeds, std::uint64_t runs,
                const std::string& last) {
  berth::Rng rng(1);
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::string bytes = berth::Mutated(seeds, rng);
    std::ofstream(last, std::ios::binary | std::ios::trunc) << bytes;
    Run(bytes, bytes.size());
  }
  std::filesystem::remove(last);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  std::uint64_t runs = 0;
  std::vector<std::string> seeds = {""};
  Run("", 0);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--runs" && i + 1 < argc) {
      runs = std::strtoull(argv[++i], nullptr, 10);
      continue;
    }
    for (const std::filesystem::path& seed : Seeds(argv[i])) seeds.push_back(RunSeed(seed));
  }
  RunMutated(seeds, runs, name + ".last");
  std::printf("all seeds and %s inputs made from them ran\n", std::to_string(runs).c_str());
}
