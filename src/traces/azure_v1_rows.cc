#include "traces/azure_v1_rows.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/decimal.h"
#include "base/text.h"
#include "traces/row_values.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::int64_t kAzureNano = 1'000'000'000;
constexpr std::int64_t kVcpuMax = 100'000;
constexpr std::int64_t kMemGbMax = 1'000'000;

std::string FormatNano(std::int64_t nano) {
  std::string text = fmt::format("{}.{:09}", nano / kAzureNano, nano % kAzureNano);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

InstanceType TypeOf(const AzureV1Size& size) {
  InstanceType type;
  type.name = TypeId(fmt::format("v{}-m{}", FormatNano(size.vcpu_nano), FormatNano(size.mem_nano)));
  type.size[Resource::kCpu] = NanoOf(size.vcpu_nano, 1000);
  type.size[Resource::kMemory] = NanoOf(size.mem_nano, std::int64_t{1} << 30);
  return type;
}

Result<AzureV1Rows> AzureV1Rows::Open(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  Columns columns;
  BERTH_TRY(columns.arrival, csv.Column("arrival_s"));
  BERTH_TRY(columns.batch, csv.Column("batch"));
  BERTH_TRY(columns.vcpu, csv.Column("vcpu"));
  BERTH_TRY(columns.mem, csv.Column("mem_gb"));
  if (csv.FindColumn("life_lo_s") || csv.FindColumn("life_hi_s") || csv.FindColumn("censored")) {
    LifeColumns life;
    BERTH_TRY(life.low, csv.Column("life_lo_s"));
    BERTH_TRY(life.high, csv.Column("life_hi_s"));
    BERTH_TRY(life.censored, csv.Column("censored"));
    columns.life = life;
  }
  return AzureV1Rows(std::move(csv), columns);
}

std::string AzureV1Rows::ignored_columns() const {
  constexpr std::string_view kRead[] = {"arrival_s", "batch",     "vcpu",    "mem_gb",
                                        "life_lo_s", "life_hi_s", "censored"};
  return IgnoredColumns(csv_, kRead);
}

Result<std::optional<AzureV1Row>> AzureV1Rows::Next() {
  BERTH_TRY(const bool more, csv_.Next());
  if (!more) return std::optional<AzureV1Row>();
  AzureV1Row row;
  BERTH_TRY(row.arrival, SecondsIn(csv_, columns_.arrival));
  BERTH_TRY(row.batch, csv_.Integer(columns_.batch));
  BERTH_TRY(row.size.vcpu_nano, Nano(columns_.vcpu, kVcpuMax));
  BERTH_TRY(row.size.mem_nano, Nano(columns_.mem, kMemGbMax));
  if (columns_.life) {
    BERTH_TRY(row.lifetime, ReadLifetime(*columns_.life));
  }
  BERTH_RETURN_IF_ERROR(CheckOrder(row));
  row.number = read_++;
  last_ = row;
  return std::optional(row);
}

Status AzureV1Rows::CheckOrder(const AzureV1Row& row) const {
  if (!last_) return {};
  if (row.arrival < last_->arrival) {
    return csv_.Error(columns_.arrival,
                      fmt::format("{} comes after {}; sort the rows by time",
                                  FormatSeconds(row.arrival), FormatSeconds(last_->arrival)));
  }
  // A batch is within one bin, so that its name is never used again.
  if (row.batch < last_->batch || (row.batch == last_->batch && row.arrival != last_->arrival)) {
    return csv_.Error(columns_.batch,
                      fmt::format("{} comes after {} of an earlier row; number the batches in the "
                                  "order of their arrival",
                                  row.batch, last_->batch));
  }
  return {};
}

Result<AzureV1Lifetime> AzureV1Rows::ReadLifetime(const LifeColumns& columns) const {
  AzureV1Lifetime life;
  BERTH_TRY(life.low, SecondsIn(csv_, columns.low));
  BERTH_TRY(life.high, SecondsIn(csv_, columns.high));
  if (life.high < life.low) {
    return csv_.Error(columns.high, fmt::format("{} is less than life_lo_s, {}; exchange them",
                                                FormatSeconds(life.high), FormatSeconds(life.low)));
  }
  BERTH_TRY(const std::int64_t censored, csv_.Integer(columns.censored));
  if (censored != 0 && censored != 1) {
    return csv_.Error(columns.censored, fmt::format("{} is neither 0 nor 1; write one", censored));
  }
  life.censored = censored == 1;
  return life;
}

Result<std::int64_t> AzureV1Rows::Nano(CsvColumn column, std::int64_t max) const {
  const std::string_view text = Trim(csv_.Text(column));
  const Scaled scaled = ScaleExactly(text, kAzureNano, max * kAzureNano);
  if (scaled.outcome == Scaled::Outcome::kExact && scaled.value > 0) return scaled.value;
  return csv_.Error(column, fmt::format("{} is not a number over 0 and up to {} with at most nine "
                                        "decimals; write one",
                                        Quoted(text), max));
}

}  // namespace berth
