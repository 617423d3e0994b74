#include "appsim/app_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "appsim/app_file_parts.h"
#include "base/text.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

constexpr double kHourPriceMax = 10'000;

constexpr std::array<std::pair<std::string_view, BufferOrder>, 4> kBufferOrders = {
    {{"fifo", BufferOrder::kFifo},
     {"lifo", BufferOrder::kLifo},
     {"oldest_first", BufferOrder::kOldestFirst},
     {"priority", BufferOrder::kPriority}}};

// Buffers name request types and services name each other, which are read before.
struct AppFileReader {
  AppModel model{};
  std::string folder{};

  Status ReadNodeType(const Node& node, FirstUses& names);
  Status ReadService(const Node& node, FirstUses& names);
  Status ReadCalls(const Node& node, AppService& service) const;
  Result<AppBuffer> ReadBuffer(const Node& node) const;
  Status ReadType(const Node& node, FirstUses& names);
  Status ReadRegion(const Node& node, FirstUses& names);
  Result<VmGroup> ReadGroup(const Node& node) const;
};

Status AppFileReader::ReadNodeType(const Node& node, FirstUses& names) {
  Fields fields(node);
  AppNodeType type;
  type.vm.provider = fields.Name("provider", "own");
  type.vm.name = fields.Name("name");
  type.vm.capacity = ReadResources(fields, {});
  const double price = fields.Number("price", {.min = 0, .max = kHourPriceMax}, 0);
  type.vm.hour_micros = std::llround(price * static_cast<double>(kMicros));
  type.boot = ReadTimeSpread(fields, "boot");
  type.vm.boot = Duration(static_cast<std::int64_t>(type.boot.mean));
  type.termination = ReadTimeSpread(fields, "termination");
  type.latency = fields.Length("latency", Duration(0));
  const std::optional<Node> burst = fields.Optional("burst");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (type.vm.capacity[Resource::kCpu] == 0 || type.vm.capacity[Resource::kMemory] == 0) {
    return node.Error("needs cpu and memory above 0");
  }
  if (burst) {
    BERTH_TRY(type.burst, ReadBurst(*burst, type.vm.capacity[Resource::kCpu]));
  }
  model.node_types.push_back(std::move(type));
  return names.Add(node, "node type", model.node_types.back().vm.name);
}

Status AppFileReader::ReadService(const Node& node, FirstUses& names) {
  Fields fields(node);
  AppService service{.name = fields.Name("name")};
  if (const std::optional<Node> limits = fields.Optional("limits")) {
    Fields parts(*limits);
    service.need = ReadResources(parts, {});
    fields.Check(parts.Finish());
  }
  service.idle = ReadSpreadUse(fields, "idle");
  service.work_milli = fields.Amount("work", Resource::kCpu, 1'000);
  service.boot = ReadTimeSpread(fields, "boot");
  service.termination = ReadTimeSpread(fields, "termination");
  fields.Optional("calls");  // When all are known.
  fields.Optional("upstream");
  fields.Optional("downstream");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  model.services.push_back(std::move(service));
  return names.Add(node, "service", model.services.back().name);
}

Status AppFileReader::ReadCalls(const Node& node, AppService& service) const {
  if (const std::optional<Node> calls = node.Find("calls")) {
    BERTH_TRY(const std::vector<Node> items, calls->Items());
    for (const Node& item : items) {
      BERTH_TRY(const std::string_view name, item.Name());
      BERTH_TRY(const std::size_t next, FindService(item, model, name));
      service.next.push_back(next);
    }
  }
  if (const std::optional<Node> buffer = node.Find("upstream")) {
    BERTH_TRY(service.upstream, ReadBuffer(*buffer));
  }
  if (const std::optional<Node> buffer = node.Find("downstream")) {
    BERTH_TRY(service.downstream, ReadBuffer(*buffer));
  }
  return {};
}

Result<AppBuffer> AppFileReader::ReadBuffer(const Node& node) const {
  Fields fields(node);
  const std::string order = fields.Text("order", "fifo");
  const std::vector<KeyedNode> capacities = fields.OptionalEntries("capacity");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  AppBuffer buffer;
  const auto* const known =
      std::ranges::find(kBufferOrders, order, [](const auto& entry) { return entry.first; });
  if (known == kBufferOrders.end()) {
    return node.Error(fmt::format("{} is no order; there are fifo, lifo, oldest_first and priority",
                                  Quoted(order)));
  }
  buffer.order = known->second;
  buffer.capacity.resize(model.request_types.size());
  for (const KeyedNode& entry : capacities) {
    BERTH_TRY(const std::size_t type, FindRequestType(entry.value, model, entry.key));
    BERTH_TRY(buffer.capacity[type],
              entry.value.Integer<std::uint32_t>({.min = 1, .max = 1'000'000'000}));
  }
  return buffer;
}

Status AppFileReader::ReadType(const Node& node, FirstUses& names) {
  Fields fields(node);
  AppRequestType type{.name = fields.Name("name")};
  const std::string entry = fields.Name("entry");
  type.timeout = fields.Length("timeout");
  type.target = fields.Length("target", Duration(0));
  type.priority = fields.Integer("priority", {.min = -1'000'000, .max = 1'000'000}, 0);
  type.need = ReadSpreadUse(fields, "need");
  type.request_bytes = ReadAmountSpread(fields, "request_size", Resource::kMemory);
  type.response_bytes = ReadAmountSpread(fields, "response_size", Resource::kMemory);
  const std::optional<Node> visits = fields.Optional("visits");
  const std::vector<KeyedNode> times = fields.Entries("times");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(type.entry, FindService(node, model, entry));
  if (visits) {
    type.visits.resize(model.services.size());
    type.visits[type.entry] = true;
    BERTH_TRY(const std::vector<Node> items, visits->Items());
    for (const Node& item : items) {
      BERTH_TRY(const std::string_view name, item.Name());
      BERTH_TRY(const std::size_t service, FindService(item, model, name));
      type.visits[service] = true;
    }
  }
  type.times.resize(model.services.size());
  for (const KeyedNode& timed : times) {
    BERTH_TRY(const std::size_t service, FindService(timed.value, model, timed.key));
    Fields parts(timed.value);
    type.times[service] = {.upstream = ReadTimeSpread(parts, "upstream"),
                           .downstream = ReadTimeSpread(parts, "downstream")};
    BERTH_RETURN_IF_ERROR(parts.Finish());
  }
  model.request_types.push_back(std::move(type));
  return names.Add(node, "request", model.request_types.back().name);
}

Result<VmGroup> AppFileReader::ReadGroup(const Node& node) const {
  Fields fields(node);
  const std::string type = fields.Name("type");
  VmGroup group{.count = fields.Integer<std::uint64_t>(
                    "count", {.min = 1, .max = std::uint64_t{kAppInstancesMax}}, 1)};
  const std::vector<KeyedNode> instances = fields.Entries("instances");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(group.type, FindNodeType(node, model, type));
  group.instances.resize(model.services.size());
  ResourceTotals used;
  for (const KeyedNode& entry : instances) {
    BERTH_TRY(const std::size_t service, FindService(entry.value, model, entry.key));
    BERTH_TRY(group.instances[service],
              entry.value.Integer<std::uint32_t>({.min = 0, .max = 10'000}));
    for (std::uint32_t i = 0; i < group.instances[service]; ++i) {
      used += model.services[service].need;
    }
  }
  const Resources& capacity = model.node_types[group.type].vm.capacity;
  if (std::ranges::any_of(kAllResources, [&](Resource r) { return used[r] > capacity[r]; })) {
    return node.Error(
        fmt::format("the limits of its instances are more than a {} has, {}; put fewer on it", type,
                    FormatResources(capacity)));
  }
  return group;
}

Status AppFileReader::ReadRegion(const Node& node, FirstUses& names) {
  Fields fields(node);
  AppRegion region{.name = fields.Name("name")};
  region.user_latency = fields.Length("user_latency", Duration(0));
  region.user_network_mbit = fields.Amount("user_network", Resource::kNetwork, 0);
  const std::vector<Node> groups = fields.Items("nodes");
  const std::vector<Node> loads = fields.Items("load");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  region.deployment.reserve(groups.size());
  for (const Node& item : groups) {
    BERTH_TRY(VmGroup group, ReadGroup(item));
    region.deployment.push_back(std::move(group));
  }
  for (const Node& item : loads) {
    BERTH_TRY(std::vector<AppLoad> more, ReadAppLoads(item, model, folder));
    for (AppLoad& load : more) region.loads.push_back(std::move(load));
    if (region.loads.size() > kAppRequestTypesMax) return item.Error("is one load too many");
  }
  model.regions.push_back(std::move(region));
  return names.Add(node, "region", model.regions.back().name);
}

// The top-level keys of all parts, as if they were in one file.
class AppKeys {
 public:
  AppKeys(std::span<const AppText> parts, std::span<const Document> documents) : parts_(parts) {
    readers_.reserve(documents.size());
    for (const Document& document : documents) readers_.emplace_back(document.root());
  }

  // The reader of the part that has the key; of the first, if none has.
  Fields& Having(std::string_view key) {
    std::optional<std::size_t> having;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      const std::optional<Node> node = readers_[i].Optional(key);
      if (node && having && !parts_[i].replaces) {
        readers_[i].Check(node->Error(
            fmt::format("is in {} as well; keep one of them", Quoted(parts_[*having].file_name))));
      } else if (node) {
        having = i;
      }
    }
    return readers_[having.value_or(0)];
  }

  Status Finish() {
    for (Fields& reader : readers_) BERTH_RETURN_IF_ERROR(reader.Finish());
    return {};
  }

 private:
  std::span<const AppText> parts_;
  std::vector<Fields> readers_;
};

// Where the traces of its loads are looked for.
std::string FolderOfRegions(std::span<const AppText> parts, std::span<const Document> documents) {
  for (std::size_t i = parts.size(); i-- > 0;) {
    const std::string& file = parts[i].file_name;
    if (documents[i].root().Find("regions")) return file.substr(0, file.rfind('/') + 1);
  }
  return {};
}

}  // namespace

Result<AppModel> ParseAppParts(std::span<const AppText> parts) {
  std::vector<Document> documents;
  documents.reserve(parts.size());
  for (const AppText& part : parts) {
    BERTH_TRY(Document document, ParseDocument(part.text, part.file_name));
    documents.push_back(std::move(document));
  }
  AppFileReader reader{.folder = FolderOfRegions(parts, documents)};
  AppModel& model = reader.model;
  AppKeys keys(parts, documents);
  const Node root = documents.front().root();
  model.duration = keys.Having("duration").Length("duration");
  model.metric_step = keys.Having("metric_step").Length("metric_step", std::chrono::seconds(1));
  model.deployed_before = keys.Having("deployed_before").Bool("deployed_before", true);
  const std::vector<Node> node_types = keys.Having("node_types").Items("node_types");
  const std::vector<Node> services = keys.Having("services").Items("services");
  const std::vector<Node> requests = keys.Having("requests").Items("requests");
  const std::vector<Node> regions = keys.Having("regions").Items("regions");
  BERTH_RETURN_IF_ERROR(keys.Finish());
  if (model.duration.count() == 0) return root.Error("has no duration; write 10m");
  const auto read_all = [&reader](const std::vector<Node>& items, std::string_view what,
                                  std::size_t max, auto read) -> Status {
    FirstUses names;
    if (items.size() > max) {
      return items[max].Error(
          fmt::format("is one too many: there are at most {} {}", FormatCount(max), what));
    }
    for (const Node& item : items) BERTH_RETURN_IF_ERROR((reader.*read)(item, names));
    return {};
  };
  BERTH_RETURN_IF_ERROR(
      read_all(node_types, "node types", kVmTypesMax, &AppFileReader::ReadNodeType));
  BERTH_RETURN_IF_ERROR(
      read_all(services, "services", kAppServicesMax, &AppFileReader::ReadService));
  BERTH_RETURN_IF_ERROR(
      read_all(requests, "requests", kAppRequestTypesMax, &AppFileReader::ReadType));
  for (std::size_t i = 0; i < services.size(); ++i) {
    BERTH_RETURN_IF_ERROR(reader.ReadCalls(services[i], model.services[i]));
  }
  BERTH_RETURN_IF_ERROR(read_all(regions, "regions", kAppRegionsMax, &AppFileReader::ReadRegion));
  const Status status = CheckAppModel(model);
  if (!status.ok()) return root.Error(status.message());
  return std::move(model);
}

Result<AppModel> ParseAppFile(std::string_view text, const std::string& file_name) {
  const AppText part{.file_name = file_name, .text = std::string(text)};
  return ParseAppParts(std::span(&part, 1));
}

Result<AppModel> ReadAppFile(const std::string& path) {
  BERTH_TRY(const std::string text, ReadText(path));
  return ParseAppFile(text, path);
}

}  // namespace berth
