// The rows of an azure_v1 file, each checked on its own and against the one before.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/csv.h"
#include "berth/records.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// In billionths of a core and of a GB, so that any decimal the file may hold is exact.
struct AzureV1Size {
  std::int64_t vcpu_nano = 0;
  std::int64_t mem_nano = 0;

  friend auto operator<=>(const AzureV1Size&, const AzureV1Size&) = default;
};
// Named "v2-m3.5". A GB is taken as 2^30 bytes; needs are rounded up.
InstanceType TypeOf(const AzureV1Size& size);

struct AzureV1Lifetime {
  Duration low{};
  Duration high{};
  bool censored = false;  // At least `low`; how long is not known.
};

struct AzureV1Row {
  std::uint64_t number = 0;  // From 0.
  Duration arrival{};        // The start of its bin; never falls.
  std::int64_t batch = 0;    // Never falls, and rises with every bin.
  AzureV1Size size;
  std::optional<AzureV1Lifetime> lifetime;  // None: the file has no lifetimes.
};

class AzureV1Rows {
 public:
  static Result<AzureV1Rows> Open(LineReader lines);

  bool has_lifetimes() const { return columns_.life.has_value(); }
  // A line for the trace's notes, empty if every column is read.
  std::string ignored_columns() const;

  Result<std::optional<AzureV1Row>> Next();

  // About the row read last.
  Status BatchError(std::string_view what) const { return csv_.Error(columns_.batch, what); }
  Status Error(std::string_view what) const { return csv_.Error(what); }

 private:
  struct LifeColumns {
    CsvColumn low{};
    CsvColumn high{};
    CsvColumn censored{};
  };
  struct Columns {
    CsvColumn arrival{};
    CsvColumn batch{};
    CsvColumn vcpu{};
    CsvColumn mem{};
    std::optional<LifeColumns> life;
  };

  AzureV1Rows(CsvReader csv, const Columns& columns) : csv_(std::move(csv)), columns_(columns) {}

  Status CheckOrder(const AzureV1Row& row) const;
  Result<AzureV1Lifetime> ReadLifetime(const LifeColumns& columns) const;
  Result<std::int64_t> Nano(CsvColumn column, std::int64_t max) const;

  CsvReader csv_;
  Columns columns_;
  std::optional<AzureV1Row> last_;
  std::uint64_t read_ = 0;
};

}  // namespace berth
