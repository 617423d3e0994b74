// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace berth {

// Calls work(0) to work(count - 1), each once, on at most `workers` threads, and returns when all
// are done. Which thread does which piece is left to chance, so a piece must depend on its number
// alone.
void ForEachInParallel(std::size_t count, std::size_t workers,
                       const std::function<void(std::size_t)>& work);

// As many as there are cores.
std::size_t CoreCount();

}  // namespace berth
