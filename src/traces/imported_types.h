// The instance types that an imported trace needs: one for every size and choice of SKUs, named by
// them: "c8-m16Gi", "c6-m12Gi-g460m-V100M16-V100M32".
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/csv.h"
#include "berth/records.h"
#include "berth/status.h"

namespace berth {

// Of a request; what is zero is rounded up to the least there is, because a type needs a size.
struct ImportedSize {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpu_milli = 0;

  friend auto operator<=>(const ImportedSize&, const ImportedSize&) = default;
};

// Traces that hide their machines give sizes as fractions of the largest. It is taken to be the
// largest that `berth generate zone` has.
std::int64_t LargestMachineCpuMilli();
std::int64_t LargestMachineMemoryMib();
std::string DescribeLargestMachine();  // "48 cores and 256 GiB"

class ImportedTypes {
 public:
  // The type for the row that `csv` stands at, which the error names. `skus` is sorted.
  Result<TypeId> Of(const CsvReader& csv, ImportedSize size, const std::vector<SkuId>& skus = {});

  std::size_t size() const { return types_.size(); }
  std::vector<InstanceType> All() const;

 private:
  struct Key {
    ImportedSize size;
    std::vector<SkuId> skus;

    friend auto operator<=>(const Key&, const Key&) = default;
  };

  std::map<Key, InstanceType> types_;
  std::set<TypeId> names_;
};

}  // namespace berth
