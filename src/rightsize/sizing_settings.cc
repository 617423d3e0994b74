#include "rightsize/sizing_settings.h"

#include <fmt/format.h>

#include "base/text.h"
#include "rightsize/choose_recommender.h"

namespace berth {
namespace {

constexpr double kHeadroomMax = 10;

template <typename Kind>
struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr NamedKind<CpuKind> kCpuKinds[] = {{"batch", CpuKind::kBatch},
                                            {"serving", CpuKind::kServing},
                                            {"latency_sensitive", CpuKind::kLatencySensitive}};
constexpr NamedKind<OomTolerance> kOomTolerances[] = {
    {"minimal", OomTolerance::kMinimal},
    {"low", OomTolerance::kLow},
    {"intermediate", OomTolerance::kIntermediate}};

template <typename Kind, std::size_t N>
Result<Kind> ParseKind(std::string_view text, const NamedKind<Kind> (&kinds)[N]) {
  std::string known;
  for (const NamedKind<Kind>& each : kinds) {
    if (each.name == text) return each.kind;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
  }
  return Status(Code::kInvalidArgument,
                fmt::format("{} is no kind; there are {}", Quoted(text), known));
}

// Takes over what is written; the rest stays.
template <typename Kind>
void ReadKind(Fields& fields, std::string_view key, Result<Kind> (*parse)(std::string_view),
              Kind& kind) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return;
  const Result<std::string_view> text = node->Text();
  if (!text.ok()) return fields.Check(text.status());
  const Result<Kind> parsed = parse(text.value());
  if (!parsed.ok()) return fields.Check(node->Error(parsed.status().message()));
  kind = parsed.value();
}

void ReadBound(Fields& fields, std::string_view key, Resource resource,
               std::optional<std::int64_t>& bound) {
  constexpr std::int64_t kNone = -1;
  const std::int64_t amount = fields.Amount(key, resource, kNone);
  if (amount != kNone) bound = amount;
}

void ReadBounds(Fields& fields, Resource resource, SizeBounds& bounds) {
  ReadBound(fields, "min", resource, bounds.min);
  ReadBound(fields, "max", resource, bounds.max);
  ReadBound(fields, "quota", resource, bounds.quota);
  bounds.grow_only = fields.Bool("grow_only", bounds.grow_only);
  if (bounds.min && bounds.max && *bounds.min > *bounds.max) {
    // One of them is written here; the other may be that of all services.
    const std::optional<Node> min = fields.Optional("min");
    fields.Check(min ? min->Error("is more than max")
                     : fields.Optional("max")->Error("is less than min"));
  }
}

Status ReadService(const Node& node, SizingSettings& settings) {
  Fields fields(node);
  const std::string name = fields.Text("name");
  ServiceSizing sizing = settings.others;
  sizing.tenant = fields.Text("tenant", "");
  sizing.type = fields.Text("type", "");
  ReadServiceSizing(fields, sizing);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (settings.services.emplace(name, std::move(sizing)).second) return {};
  return node.Error(fmt::format("{} is there twice", Quoted(name)));
}

}  // namespace

const ServiceSizing& SizingSettings::Of(std::string_view service) const {
  const auto found = services.find(service);
  return found == services.end() ? others : found->second;
}

Result<CpuKind> ParseCpuKind(std::string_view text) { return ParseKind(text, kCpuKinds); }
Result<OomTolerance> ParseOomTolerance(std::string_view text) {
  return ParseKind(text, kOomTolerances);
}

void ReadServiceSizing(Fields& fields, ServiceSizing& sizing) {
  if (const std::optional<Node> node = fields.Optional("recommender")) {
    sizing.recommender = fields.Text("recommender");
    const Status known = CheckRecommenderName(sizing.recommender);
    if (!known.ok()) fields.Check(node->Error(known.message()));
  }
  if (fields.Bool("weekly", false) && !sizing.recommender.starts_with(kWeeklyPrefix)) {
    sizing.recommender.insert(0, kWeeklyPrefix);
  }
  sizing.cpu.headroom =
      fields.Number("headroom", {.min = 0, .max = kHeadroomMax}, sizing.cpu.headroom);
  sizing.memory.headroom = sizing.cpu.headroom;
  if (const std::optional<Node> cpu = fields.Optional("cpu")) {
    Fields inner(*cpu);
    ReadKind(inner, "kind", &ParseCpuKind, sizing.cpu_kind);
    ReadBounds(inner, Resource::kCpu, sizing.cpu);
    fields.Check(inner.Finish());
  }
  if (const std::optional<Node> memory = fields.Optional("memory")) {
    Fields inner(*memory);
    ReadKind(inner, "oom_tolerance", &ParseOomTolerance, sizing.oom_tolerance);
    ReadBounds(inner, Resource::kMemory, sizing.memory);
    fields.Check(inner.Finish());
  }
}

Result<SizingSettings> ReadSizingSettings(const std::string& path, const ServiceSizing& others) {
  BERTH_TRY(const Document document, ReadDocument(path));
  SizingSettings settings{.others = others, .services = {}};
  Fields fields(document.root());
  if (const std::optional<Node> machine = fields.Optional("machine")) {
    Fields inner(*machine);
    ReadBound(inner, "cpu", Resource::kCpu, settings.others.cpu.machine);
    ReadBound(inner, "memory", Resource::kMemory, settings.others.memory.machine);
    fields.Check(inner.Finish());
  }
  for (const Node& node : fields.OptionalItems("services")) {
    fields.Check(ReadService(node, settings));
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return settings;
}

}  // namespace berth
