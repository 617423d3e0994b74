// Dense positions inside one Inventory. They mean nothing outside it and are never stored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace berth {

enum class MachineIndex : std::uint32_t {};
enum class ClusterIndex : std::uint32_t {};
enum class RackIndex : std::uint32_t {};
enum class ServiceIndex : std::uint32_t {};
enum class TenantIndex : std::uint32_t {};

template <typename Index>
constexpr std::size_t At(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace berth
