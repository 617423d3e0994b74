#include "scale/capacity/price_file.h"

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

constexpr std::int64_t kPriceMax = 10'000;  // An hour, in units of currency.

Result<std::int64_t> PriceOf(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  const Scaled scaled = ScaleExactly(text, kMicros, kPriceMax * kMicros);
  if (scaled.outcome != Scaled::Outcome::kExact || scaled.value == 0) {
    return node.Error(
        fmt::format("{} is no price of an hour; write a number above 0, at most {} "
                    "and with at most six decimals",
                    Quoted(text), FormatCount(kPriceMax)));
  }
  return scaled.value;
}

Status ReadUnready(const Node& node, VmType& type) {
  Fields fields(node);
  type.unready_nodes = fields.Integer<std::uint32_t>("nodes", {.min = 1, .max = 10'000});
  type.unready_after = fields.Length("after");
  return fields.Finish();
}

Status ReadScaleDown(const Node& node, ScaleDownSettings& settings) {
  Fields fields(node);
  settings.unneeded_time = fields.Length("unneeded_time", settings.unneeded_time);
  settings.unready_time = fields.Length("unready_time", settings.unready_time);
  if (const std::optional<Node> least = fields.Optional("least")) {
    Fields amounts(*least);
    settings.least[Resource::kCpu] = amounts.Amount("cpu", Resource::kCpu, 0);
    settings.least[Resource::kMemory] = amounts.Amount("memory", Resource::kMemory, 0);
    fields.Check(amounts.Finish());
  }
  return fields.Finish();
}

Result<VmType> ReadVmType(const Node& node, const std::string& provider) {
  Fields fields(node);
  VmType type{.provider = provider};
  type.name = fields.Name("name");
  type.capacity = ReadResources(fields, {});
  if (const std::optional<Node> price = fields.Required("price")) {
    const Result<std::int64_t> micros = PriceOf(*price);
    fields.Check(micros.status());
    if (micros.ok()) type.hour_micros = micros.value();
  }
  type.boot = fields.Length("boot", Duration(0));
  type.priority = fields.Integer("priority", {.min = -1'000'000, .max = 1'000'000}, 0);
  type.keep = fields.Bool("keep", false);
  if (const std::optional<Node> unready = fields.Optional("unready")) {
    fields.Check(ReadUnready(*unready, type));
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (type.capacity.IsZero()) return node.Error("has no resources; write cpu and memory");
  return type;
}

Status ReadProvider(const Node& node, FirstUses& names, PriceList& prices) {
  Fields fields(node);
  const std::string provider = fields.Name("name");
  const std::vector<Node> types = fields.Items("types");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(names.Add(node, "provider", provider));
  FirstUses type_names;
  for (const Node& item : types) {
    BERTH_TRY(VmType type, ReadVmType(item, provider));
    BERTH_RETURN_IF_ERROR(type_names.Add(item, "type", type.name));
    if (prices.types.size() == kVmTypesMax) {
      return item.Error(
          fmt::format("is one type too many; a price file has at most {}", kVmTypesMax));
    }
    prices.types.push_back(std::move(type));
  }
  return {};
}

}  // namespace

Result<PriceList> ParsePriceFile(std::string_view text, const std::string& file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  Fields fields(document.root());
  PriceList prices{.currency = fields.Name("currency")};
  const std::vector<Node> providers = fields.Items("providers");
  if (const std::optional<Node> scale_down = fields.Optional("scale_down")) {
    fields.Check(ReadScaleDown(*scale_down, prices.scale_down));
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  FirstUses names;
  for (const Node& provider : providers) {
    BERTH_RETURN_IF_ERROR(ReadProvider(provider, names, prices));
  }
  if (prices.types.empty()) return document.root().Error("has no types; write at least one");
  return prices;
}

Result<PriceList> ReadPriceFile(const std::string& path) {
  BERTH_TRY(const std::string text, ReadText(path));
  return ParsePriceFile(text, path);
}

}  // namespace berth
