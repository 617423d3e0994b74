// Berth's own trace format. One row a type of instance; rows of one service and time are one gang.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "berth/change.h"
#include "traces/format.h"
#include "traces/importers/builtin.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::size_t kBerthTypesMax = 10'000;       // Defined in one trace.
constexpr std::uint32_t kConstraintMax = 1'000'000;  // Racks, or instances on a machine or rack.

// Reads lines, splits them into fields and finds fields by column.
class Rows {
 public:
  static Result<Rows> Open(LineReader lines) {
    Rows rows(std::move(lines));
    BERTH_RETURN_IF_ERROR(rows.ReadTop());
    return rows;
  }

  const std::vector<InstanceType>& types() const { return types_; }
  bool has(TraceColumn column) const { return places_[static_cast<std::size_t>(column)] != kNone; }

  // Moves to the next row, past empty lines and comments; false after the last.
  Result<bool> Next() {
    for (;;) {
      BERTH_TRY(const std::optional<std::string_view> line, lines_.Next());
      if (!line) return false;
      if (line->starts_with(kTypeLineStart)) {
        return lines_.Error("a type is defined after the header; move it to the top");
      }
      if (line->empty() || line->starts_with('#')) continue;
      if (const Status split = SplitCsv(*line, fields_); !split.ok()) {
        return lines_.Error(split.message());
      }
      if (fields_.size() == width_) return true;
      return lines_.Error(fmt::format("the row has {} fields, the header {}; make them as many",
                                      fields_.size(), width_));
    }
  }

  std::size_t line_number() const { return lines_.line_number(); }

  // As it stands, or what it means that there is nothing.
  std::string_view Text(TraceColumn column) const {
    const std::size_t place = places_[static_cast<std::size_t>(column)];
    const std::string_view text = place == kNone ? std::string_view() : Trim(fields_[place]);
    return text.empty() ? InfoOf(column).otherwise : text;
  }

  Status Error(TraceColumn column, std::string_view what) const {
    return lines_.Error(fmt::format("column '{}': {}", InfoOf(column).name, what));
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;

  explicit Rows(LineReader lines) : lines_(std::move(lines)) { places_.fill(kNone); }

  // Comments, types and the header.
  Status ReadTop() {
    for (;;) {
      BERTH_TRY(const std::optional<std::string_view> line, lines_.Next());
      if (!line) return lines_.Error("there is no header; begin with a row of column names");
      if (line->starts_with(kTypeLineStart)) {
        BERTH_RETURN_IF_ERROR(AddType(*line));
      } else if (!line->empty() && !line->starts_with('#')) {
        return ReadHeader(*line);
      }
    }
  }

  Status AddType(std::string_view line) {
    Result<InstanceType> type = ParseTypeLine(line);
    if (!type.ok()) return lines_.Error(type.status().message());
    if (types_.size() == kBerthTypesMax) {
      return lines_.Error(fmt::format("over {} types; leave some out", kBerthTypesMax));
    }
    const TypeId name = type.value().name;
    if (!type_names_.insert(name).second) {
      return lines_.Error(fmt::format("type {} is defined twice; remove one", Quoted(name.str())));
    }
    types_.push_back(std::move(type).value());
    return {};
  }

  Status ReadHeader(std::string_view line) {
    if (const Status split = SplitCsv(line, fields_); !split.ok()) {
      return lines_.Error(split.message());
    }
    width_ = fields_.size();
    for (std::size_t i = 0; i < width_; ++i) {
      const std::string_view name = Trim(fields_[i]);
      const auto* const known = std::ranges::find(kTraceColumns, name, &TraceColumnInfo::name);
      if (known == kTraceColumns.end()) {
        return lines_.Error(
            fmt::format("column {}: is not known; the columns are {}", Quoted(name), AllColumns()));
      }
      std::size_t& place = places_[static_cast<std::size_t>(known - kTraceColumns.begin())];
      if (place != kNone) {
        return lines_.Error(fmt::format("column '{}': is there twice; remove one", name));
      }
      place = i;
    }
    for (std::size_t i = 0; i < kTraceColumnCount; ++i) {
      if (kTraceColumns[i].required && places_[i] == kNone) {
        return lines_.Error(
            fmt::format("column '{}': is missing; add it to the header", kTraceColumns[i].name));
      }
    }
    return {};
  }

  static std::string AllColumns() {
    std::string names;
    for (const TraceColumnInfo& info : kTraceColumns) {
      if (!names.empty()) names += ", ";
      names += info.name;
    }
    return names;
  }

  LineReader lines_;
  std::vector<InstanceType> types_;  // In the file's order.
  std::set<TypeId> type_names_;
  std::array<std::size_t, kTraceColumnCount> places_{};
  std::size_t width_ = 0;
  std::vector<std::string> fields_;
};

// Turns the row that `rows` stands at into an arrival of one group.
class RowReader {
 public:
  explicit RowReader(const Rows& rows) : rows_(rows) {}

  Result<Arrival> Read() const {
    Arrival arrival;
    BERTH_TRY(const Duration at, Seconds(TraceColumn::kAt));
    arrival.at = Time(at);
    Service& service = arrival.service;
    BERTH_TRY(service.name, Name(TraceColumn::kService));
    BERTH_TRY(const std::string_view tenant, Name(TraceColumn::kTenant));
    service.tenant = TenantId(tenant);
    BERTH_TRY(const std::string_view klass, Name(TraceColumn::kClass));
    service.klass = ClassId(klass);
    BERTH_TRY(InstanceGroup group, ReadGroup());
    service.groups.push_back(group);
    BERTH_TRY(service.constraints, ReadConstraints());
    BERTH_TRY(service.yield_whole, Bool(TraceColumn::kYieldWhole));
    if (!rows_.Text(TraceColumn::kLifetime).empty()) {
      BERTH_TRY(arrival.lifetime, Seconds(TraceColumn::kLifetime));
    }
    return arrival;
  }

 private:
  Result<InstanceGroup> ReadGroup() const {
    InstanceGroup group;
    BERTH_TRY(const std::string_view type, Name(TraceColumn::kType));
    group.type = TypeId(type);
    if (!rows_.Text(TraceColumn::kRole).empty()) {
      BERTH_TRY(const std::string_view role, Name(TraceColumn::kRole));
      group.role = RoleId(role);
    }
    BERTH_TRY(group.count, Integer(TraceColumn::kCount, 1, kGangMax));
    return group;
  }

  Result<Constraints> ReadConstraints() const {
    Constraints constraints;
    BERTH_TRY(constraints.spread_racks, Integer(TraceColumn::kSpreadRacks, 0, kConstraintMax));
    BERTH_TRY(constraints.max_per_machine, Integer(TraceColumn::kMaxPerMachine, 0, kConstraintMax));
    BERTH_TRY(constraints.max_per_rack, Integer(TraceColumn::kMaxPerRack, 0, kConstraintMax));
    BERTH_TRY(constraints.max_per_update_domain,
              Integer(TraceColumn::kMaxPerUpdateDomain, 0, kConstraintMax));
    BERTH_TRY(constraints.within, ReadScope());
    BERTH_TRY(constraints.isolate, Bool(TraceColumn::kIsolate));
    Result<Labels> labels = ParseTraceLabels(rows_.Text(TraceColumn::kLabels));
    if (!labels.ok()) return rows_.Error(TraceColumn::kLabels, labels.status().message());
    constraints.labels = std::move(labels).value();
    return constraints;
  }

  Result<Scope> ReadScope() const {
    const std::string_view text = rows_.Text(TraceColumn::kWithin);
    for (const Scope scope : {Scope::kZone, Scope::kDatacenter, Scope::kCluster, Scope::kRow}) {
      if (text == ToString(scope)) return scope;
    }
    return rows_.Error(
        TraceColumn::kWithin,
        fmt::format("{} is no scope; write zone, datacenter, cluster or row", Quoted(text)));
  }

  Result<bool> Bool(TraceColumn column) const {
    const std::string_view text = rows_.Text(column);
    if (text == "yes" || text == "true") return true;
    if (text == "no" || text == "false") return false;
    return rows_.Error(column, fmt::format("{} is no truth; write yes or no", Quoted(text)));
  }

  Result<std::string_view> Name(TraceColumn column) const {
    const std::string_view text = rows_.Text(column);
    if (IsValidName(text)) return text;
    return rows_.Error(
        column, fmt::format("{} is not a name; write 1 to 128 letters, digits, '.', '_' and '-'",
                            Quoted(text)));
  }

  Result<std::uint32_t> Integer(TraceColumn column, std::uint32_t min, std::uint32_t max) const {
    const std::string_view text = rows_.Text(column);
    const auto [value, error] = ParseInteger(text);
    if (error == std::errc() && value >= min && value <= max) {
      return static_cast<std::uint32_t>(value);
    }
    return rows_.Error(column, fmt::format("{} is not a whole number from {} to {}; write one",
                                           Quoted(text), min, max));
  }

  Result<Duration> Seconds(TraceColumn column) const {
    Result<Duration> seconds = ParseSeconds(rows_.Text(column));
    if (!seconds.ok()) return rows_.Error(column, seconds.status().message());
    return seconds;
  }

  const Rows& rows_;
};

class BerthTrace final : public Trace {
 public:
  explicit BerthTrace(Rows rows) : rows_(std::move(rows)) {}

  Result<std::optional<Arrival>> Next() override {
    if (!ahead_) {
      BERTH_TRY(ahead_, ReadRow());
    }
    std::optional<Arrival> arrival = std::exchange(ahead_, std::nullopt);
    if (!arrival) return arrival;
    const std::size_t line = rows_.line_number();
    for (;;) {
      BERTH_TRY(ahead_, ReadRow());
      if (!ahead_ || ahead_->service.name != arrival->service.name) break;
      BERTH_RETURN_IF_ERROR(Join(*arrival, line, *ahead_));
    }
    return arrival;
  }

  std::vector<InstanceType> Types() const override { return rows_.types(); }

  TraceNotes Notes() const override {
    TraceNotes notes;
    for (std::size_t i = 0; i < kTraceColumnCount; ++i) {
      if (rows_.has(static_cast<TraceColumn>(i))) continue;
      const TraceColumnInfo& info = kTraceColumns[i];
      notes.lines.push_back(fmt::format("column '{}' is not there: taken as {}", info.name,
                                        info.otherwise.empty() ? "empty" : info.otherwise));
    }
    return notes;
  }

 private:
  Result<std::optional<Arrival>> ReadRow() {
    BERTH_TRY(const bool more, rows_.Next());
    if (!more) return std::optional<Arrival>();
    BERTH_TRY(Arrival row, RowReader(rows_).Read());
    if (last_line_ != 0 && row.at < last_at_) {
      return rows_.Error(TraceColumn::kAt,
                         fmt::format("{} comes after {} in line {}; sort the rows by time",
                                     FormatSeconds(row.at.time_since_epoch()),
                                     FormatSeconds(last_at_.time_since_epoch()), last_line_));
    }
    last_at_ = row.at;
    last_line_ = rows_.line_number();
    return std::optional(std::move(row));
  }

  // Adds a row's instances to the service that began in line `line`.
  Status Join(Arrival& arrival, std::size_t line, const Arrival& row) const {
    Service& service = arrival.service;
    const auto differs = [&](TraceColumn column) {
      return rows_.Error(column, fmt::format("differs from line {}, where service {} began; rows "
                                             "of one service must agree in it",
                                             line, Quoted(service.name)));
    };
    if (row.at != arrival.at) return differs(TraceColumn::kAt);
    if (row.service.tenant != service.tenant) return differs(TraceColumn::kTenant);
    if (row.service.klass != service.klass) return differs(TraceColumn::kClass);
    if (row.lifetime != arrival.lifetime) return differs(TraceColumn::kLifetime);
    if (row.service.yield_whole != service.yield_whole) return differs(TraceColumn::kYieldWhole);
    const Constraints& a = row.service.constraints;
    const Constraints& b = service.constraints;
    if (a.spread_racks != b.spread_racks) return differs(TraceColumn::kSpreadRacks);
    if (a.max_per_machine != b.max_per_machine) return differs(TraceColumn::kMaxPerMachine);
    if (a.max_per_rack != b.max_per_rack) return differs(TraceColumn::kMaxPerRack);
    if (a.max_per_update_domain != b.max_per_update_domain) {
      return differs(TraceColumn::kMaxPerUpdateDomain);
    }
    if (a.within != b.within) return differs(TraceColumn::kWithin);
    if (a.isolate != b.isolate) return differs(TraceColumn::kIsolate);
    if (a.labels != b.labels) return differs(TraceColumn::kLabels);

    const InstanceGroup& group = row.service.groups.front();
    if (service.InstanceCount() + group.count > kGangMax) {
      return rows_.Error(
          TraceColumn::kCount,
          fmt::format("service {} has {} instances with this row; write at most {}",
                      Quoted(service.name), service.InstanceCount() + group.count, kGangMax));
    }
    service.groups.push_back(group);
    return {};
  }

  Rows rows_;
  std::optional<Arrival> ahead_;
  Time last_at_;
  std::size_t last_line_ = 0;
};

}  // namespace

Result<std::unique_ptr<Trace>> NewBerthTrace(const TraceSource& source, const TraceOptions&) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(Rows rows, Rows::Open(std::move(lines)));
  return std::unique_ptr<Trace>(std::make_unique<BerthTrace>(std::move(rows)));
}

}  // namespace berth
