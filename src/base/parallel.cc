#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace berth {

void ForEachInParallel(std::size_t count, std::size_t workers,
                       const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(workers, count); ++i) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
}

std::size_t CoreCount() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace berth
