#include "traces/imported_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "traces/vm_catalogue.h"

namespace berth {
namespace {

constexpr std::size_t kTypesMax = 10'000;
constexpr std::int64_t kMib = std::int64_t{1} << 20;

Resources ResourcesOf(const ImportedSize& size) {
  Resources resources;
  resources[Resource::kCpu] = size.cpu_milli;
  resources[Resource::kMemory] = size.memory_mib * kMib;
  resources[Resource::kGpu] = size.gpu_milli;
  return resources;
}

std::string NameOf(const Resources& size, const std::vector<SkuId>& skus) {
  std::string name = fmt::format("c{}-m{}", FormatAmount(Resource::kCpu, size[Resource::kCpu]),
                                 FormatAmount(Resource::kMemory, size[Resource::kMemory]));
  if (size[Resource::kGpu] > 0) {
    name += fmt::format("-g{}", FormatAmount(Resource::kGpu, size[Resource::kGpu]));
  }
  for (const SkuId sku : skus) name += "-" + sku.str();
  return name;
}

}  // namespace

std::int64_t LargestMachineCpuMilli() { return CapacityOf(Generations().back())[Resource::kCpu]; }

std::int64_t LargestMachineMemoryMib() {
  return CapacityOf(Generations().back())[Resource::kMemory] / kMib;
}

std::string DescribeLargestMachine() {
  return fmt::format("{} cores and {} GiB", LargestMachineCpuMilli() / 1000,
                     LargestMachineMemoryMib() / 1024);
}

Result<TypeId> ImportedTypes::Of(const CsvReader& csv, ImportedSize size,
                                 const std::vector<SkuId>& skus) {
  size.cpu_milli = std::max<std::int64_t>(size.cpu_milli, 1);
  size.memory_mib = std::max<std::int64_t>(size.memory_mib, 1);
  Key key{.size = size, .skus = skus};
  if (const auto known = types_.find(key); known != types_.end()) return known->second.name;
  if (types_.size() == kTypesMax) {
    return csv.Error(fmt::format("over {} sizes; is this the right file?", kTypesMax));
  }
  InstanceType type;
  type.size = ResourcesOf(size);
  type.skus = skus;
  const std::string name = NameOf(type.size, skus);
  type.name = TypeId(name);
  // SKUs "a-b" and SKUs "a" and "b" read the same.
  for (int twin = 2; !names_.insert(type.name).second; ++twin) {
    type.name = TypeId(fmt::format("{}-{}", name, twin));
  }
  if (!IsValidName(type.name.str())) {
    return csv.Error("its SKUs have over 100 letters; name fewer");
  }
  return types_.emplace(std::move(key), std::move(type)).first->second.name;
}

std::vector<InstanceType> ImportedTypes::All() const {
  std::vector<InstanceType> types;
  types.reserve(types_.size());
  for (const auto& [key, type] : types_) types.push_back(type);
  return types;
}

}  // namespace berth
