// Commits random changes from several threads until it is killed, and says on its standard output
// what was acknowledged, after it was: "agent sequence revision" a line.
//
//   store_torture DIR SEED RUN
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "load.h"
#include "store/rocksdb_store.h"

namespace {

constexpr int kThreads = 4;
constexpr std::size_t kInFlight = 8;

void Report(const berth::DecisionId& id, berth::Revision revision) {
  const std::string line =
      fmt::format("{} {} {}\n", id.agent, id.sequence, berth::ToNumber(revision));
  // One write a line: shorter than a pipe's atomic size, so lines never mix.
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: store_torture DIR SEED RUN\n");
    return 2;
  }
  berth::RocksDbOptions options;
  options.directory = argv[1];
  options.write_buffer_bytes = std::size_t{1} << 18;  // Tables are written while commits run.
  auto opened = berth::RocksDbStore::Open(options);
  if (!opened.ok()) {
    fmt::print(stderr, "{}\n", opened.status().message());
    return 1;
  }
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(
        [&store = *opened.value(), seed, agent = fmt::format("r{}t{}", argv[3], i)] {
          berth::Load load(store, seed, agent, Report);
          while (load.Run(1000, kInFlight)) {
          }
          fmt::print(stderr, "{}\n", load.failure().message());
          std::_Exit(1);  // Only a kill ends it otherwise.
        });
  }
  for (std::thread& thread : threads) thread.join();
  return 0;
}
