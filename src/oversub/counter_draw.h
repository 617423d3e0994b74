// Randomness that is looked up, not drawn in turn: the same question has the same answer, whoever
// asks and in whatever order. It is what lets an estimate be kept, and redone in part.
#pragma once

#include <cstddef>
#include <cstdint>

namespace berth {

// 64 uniform bits for (key, repetition, attempt): SplitMix64's finaliser after each word.
constexpr std::uint64_t CounterDraw(std::uint64_t key, std::uint32_t repetition,
                                    std::uint32_t attempt) {
  const auto mix = [](std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  };
  return mix(mix(key) ^ (std::uint64_t{repetition} << 32 | attempt));
}

// Uniform over [0, limit) but for less than limit / 2^64.
constexpr std::size_t Bounded(std::uint64_t bits, std::size_t limit) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(static_cast<Wide>(bits) * limit >> 64);
}

}  // namespace berth
