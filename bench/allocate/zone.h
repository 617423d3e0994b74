// A zone of a hundred thousand machines at work, for benchmarks: clusters of a thousand, types of
// 240 sizes, asked for as Protean's requests are: four of five like the one before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/records.h"
#include "berth/rng.h"
#include "berth/store.h"

namespace berth {

struct ZoneShape {
  std::uint32_t clusters = 100;
  std::uint32_t machines_per_cluster = 1000;
  std::uint32_t types = 240;
};

class BenchZone {
 public:
  explicit BenchZone(const ZoneShape& shape);

  // Types, tenants and machines.
  const std::vector<Record>& records() const { return records_; }
  std::int64_t millicores() const { return millicores_; }

 private:
  void AddTypes(std::uint32_t count);
  void AddMachines(const ZoneShape& shape);

  std::vector<Record> records_;
  std::int64_t millicores_ = 0;
};

// Services of so many instances of one type.
class BenchRequests {
 public:
  BenchRequests(const ZoneShape& shape, std::uint32_t instances, Constraints constraints, Rng rng);

  Service Next();

 private:
  std::uint32_t types_;
  std::uint32_t instances_;
  Constraints constraints_;
  Rng rng_;
  std::vector<double> weights_;
  std::size_t type_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace berth
