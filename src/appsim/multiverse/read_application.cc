#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "appsim/multiverse/read_parts.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr double kFactorMax = 1e6;

Result<QueueOrder> ReadOrder(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  if (text == "FIFO") return QueueOrder::kFifo;
  if (text == "LIFO") return QueueOrder::kLifo;
  if (text == "OF") return QueueOrder::kOldestFirst;
  return node.Error(fmt::format("{} is no discipline; use FIFO, LIFO or OF", Quoted(text)));
}

// Either a factor of the means, or an amount of each resource.
Result<Amounts> ReadLimits(const Node& node, const VaryingAmounts& idle) {
  Amounts limits{};
  if (node.kind() == Node::Kind::kScalar) {
    BERTH_TRY(const double factor, node.Number({.min = 0, .max = kFactorMax}));
    for (std::size_t i = 0; i < kAmountCount; ++i) limits[i] = factor * idle[i].mean;
    return limits;
  }
  Fields fields(node);
  if (const std::optional<Node> cores = fields.Optional(kAmountNames[kVcpu])) {
    Fields parts(*cores);
    limits[kVcpu] = parts.Number("value", {.min = 0, .max = kFactorMax});
    fields.Check(parts.Finish());
  }
  for (std::size_t i = kVcpu + 1; i < kAmountCount; ++i) {
    limits[i] = ReadFieldOr<double>(fields, kAmountNames[i], ReadBytes, 0);
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return limits;
}

Status ReadRequirements(const Node& node, ServiceSpec& service) {
  Fields fields(node);
  service.idle = ReadVaryingAmounts(fields);
  if (const std::optional<Node> limits = fields.Optional("limits")) {
    Result<Amounts> read = ReadLimits(*limits, service.idle);
    fields.Check(read.status());
    if (read.ok()) service.limits = read.value();
  }
  if (const std::optional<Node> labels = fields.Optional("labels")) {
    fields.Check(labels->KeyError(
        "no node type can have labels, so this service could never be placed; leave them out"));
  }
  return fields.Finish();
}

// The buffers' capacities are read when the request types are known.
Result<ServiceSpec> ReadService(const Node& node) {
  Fields fields(node);
  ServiceSpec service{.name = fields.Text("name")};
  if (const std::optional<Node> buffers = fields.Required("buffers_config")) {
    Fields parts(*buffers);
    service.order = ReadField<QueueOrder>(parts, "discipline", ReadOrder);
    parts.OptionalItems("buffer_capacity_by_request_type");
    fields.Check(parts.Finish());
  }
  if (const std::optional<Node> needs = fields.Required("system_requirements")) {
    fields.Check(ReadRequirements(*needs, service));
  }
  fields.Items("next");
  fields.Items("prev");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return service;
}

Result<std::vector<std::size_t>> ReadServices(const Node& list, const ApplicationSpec& app) {
  BERTH_TRY(const std::vector<Node> items, list.Items());
  std::vector<std::size_t> indexes;
  indexes.reserve(items.size());
  for (const Node& item : items) {
    BERTH_TRY(const std::size_t index, FindService(item, app));
    indexes.push_back(index);
  }
  return indexes;
}

Status ReadCapacities(const Node& node, const ApplicationSpec& app, ServiceSpec& service) {
  service.capacity.assign(app.requests.size(), 0);
  const std::optional<Node> buffers = node.Find("buffers_config");
  const std::optional<Node> list = buffers->Find("buffer_capacity_by_request_type");
  if (!list) return {};
  BERTH_TRY(const std::vector<Node> items, list->Items());
  for (const Node& item : items) {
    Fields fields(item);
    const std::uint32_t capacity =
        fields.Integer<std::uint32_t>("capacity", {.min = 0, .max = 1'000'000'000});
    const std::optional<Node> type = fields.Required("request_type");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    BERTH_TRY(const std::size_t request, FindRequest(*type, app));
    service.capacity[request] = capacity;
  }
  return {};
}

Status ReadWorkTimes(const Node& node, const ApplicationSpec& app, RequestSpec& request,
                     std::vector<bool>& known) {
  Fields fields(node);
  const std::string unit = fields.Text("unit");
  const std::vector<Node> items = fields.Items("values");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  for (const Node& item : items) {
    Fields parts(item);
    const std::optional<Node> name = parts.Required("service");
    const std::optional<Node> upstream = parts.Required("upstream");
    const std::optional<Node> downstream = parts.Required("downstream");
    BERTH_RETURN_IF_ERROR(parts.Finish());
    BERTH_TRY(const std::size_t service, FindService(*name, app));
    BERTH_TRY(request.times[service].upstream, ReadVaryingTime(*upstream, unit));
    BERTH_TRY(request.times[service].downstream, ReadVaryingTime(*downstream, unit));
    known[service] = true;
  }
  return {};
}

// Every service that a request comes to needs its times.
Status CheckPath(const Node& node, const ApplicationSpec& app, std::size_t entry,
                 const std::vector<bool>& known) {
  std::vector<std::size_t> open = {entry};
  std::vector<bool> seen(app.services.size(), false);
  while (!open.empty()) {
    const std::size_t service = open.back();
    open.pop_back();
    if (seen[service]) continue;
    seen[service] = true;
    if (!known[service]) {
      return node.Error(fmt::format("has no time of the service {}, which the requests come to",
                                    Quoted(app.services[service].name)));
    }
    open.insert(open.end(), app.services[service].next.begin(), app.services[service].next.end());
  }
  return {};
}

Result<RequestSpec> ReadRequest(const Node& node, const ApplicationSpec& app) {
  Fields fields(node);
  RequestSpec request{.name = fields.Text("request_type")};
  request.times.resize(app.services.size());
  std::vector<bool> known(app.services.size(), false);
  const std::optional<Node> entry = fields.Required("entry_service");
  const std::optional<Node> times = fields.Required("processing_times");
  request.timeout = ReadField<Duration>(fields, "timeout", ReadPositiveLength);
  request.request_bytes = ReadField<Varying>(fields, "request_size", ReadVaryingBytes);
  request.response_bytes = ReadField<Varying>(fields, "response_size", ReadVaryingBytes);
  if (const std::optional<Node> needs = fields.Required("processing_requirements")) {
    Fields parts(*needs);
    request.need = ReadVaryingAmounts(parts);
    fields.Check(parts.Finish());
  }
  fields.Text("operation_type", "");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(request.entry, FindService(*entry, app));
  BERTH_RETURN_IF_ERROR(ReadWorkTimes(*times, app, request, known));
  BERTH_RETURN_IF_ERROR(CheckPath(*times, app, request.entry, known));
  return request;
}

Status CheckNoCycle(const Node& node, const ApplicationSpec& app) {
  std::vector<std::size_t> callers(app.services.size(), 0);
  for (const ServiceSpec& service : app.services) {
    for (const std::size_t next : service.next) ++callers[next];
  }
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < callers.size(); ++i) {
    if (callers[i] == 0) open.push_back(i);
  }
  std::size_t done = 0;
  for (; !open.empty(); ++done) {
    const std::size_t service = open.back();
    open.pop_back();
    for (const std::size_t next : app.services[service].next) {
      if (--callers[next] == 0) open.push_back(next);
    }
  }
  if (done == app.services.size()) return {};
  return node.Error("some services come next in a circle, and a request would never return");
}

Status ReadLinks(const std::vector<Node>& nodes, ApplicationSpec& app) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    BERTH_TRY(app.services[i].next, ReadServices(*nodes[i].Find("next"), app));
    BERTH_TRY(app.services[i].prev, ReadServices(*nodes[i].Find("prev"), app));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::size_t next : app.services[i].next) {
      const std::vector<std::size_t>& back = app.services[next].prev;
      if (std::find(back.begin(), back.end(), i) == back.end()) {
        return nodes[next].Find("prev")->Error(
            fmt::format("does not name {}, which has this service next; name it in both",
                        Quoted(app.services[i].name)));
      }
    }
  }
  return {};
}

}  // namespace

Result<std::size_t> FindService(const Node& name, const ApplicationSpec& app) {
  BERTH_TRY(const std::string_view text, name.Text());
  for (std::size_t i = 0; i < app.services.size(); ++i) {
    if (app.services[i].name == text) return i;
  }
  return name.Error(fmt::format("there is no service {}", Quoted(text)));
}

Result<std::size_t> FindRequest(const Node& name, const ApplicationSpec& app) {
  BERTH_TRY(const std::string_view text, name.Text());
  for (std::size_t i = 0; i < app.requests.size(); ++i) {
    if (app.requests[i].name == text) return i;
  }
  return name.Error(fmt::format("there is no request type {}", Quoted(text)));
}

Result<ApplicationSpec> ReadApplication(const Node& node) {
  Fields fields(node);
  ApplicationSpec app{.name = fields.Text("app_name", "")};
  if (const std::optional<Node> metrics = fields.Required("utilization_metrics_conf")) {
    Fields parts(*metrics);
    app.averaging = ReadField<Duration>(parts, "averaging_interval", ReadPositiveLength);
    app.sampling = ReadField<Duration>(parts, "sampling_interval", ReadPositiveLength);
    fields.Check(parts.Finish());
  }
  const std::vector<Node> services = fields.Items("services");
  const std::vector<Node> requests = fields.Items("requests");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_RETURN_IF_ERROR(
      CheckCount(*node.Find("services"), services.size(), kSetServicesMax, "services"));
  BERTH_RETURN_IF_ERROR(
      CheckCount(*node.Find("requests"), requests.size(), kSetRequestTypesMax, "request types"));
  app.services.reserve(services.size());
  for (const Node& item : services) {
    BERTH_TRY(ServiceSpec service, ReadService(item));
    if (FindService(*item.Find("name"), app).ok()) {
      return item.Find("name")->Error(
          fmt::format("there are two services {}", Quoted(service.name)));
    }
    app.services.push_back(std::move(service));
  }
  BERTH_RETURN_IF_ERROR(ReadLinks(services, app));
  BERTH_RETURN_IF_ERROR(CheckNoCycle(*node.Find("services"), app));
  app.requests.reserve(requests.size());
  for (const Node& item : requests) {
    BERTH_TRY(RequestSpec request, ReadRequest(item, app));
    if (FindRequest(*item.Find("request_type"), app).ok()) {
      return item.Find("request_type")
          ->Error(fmt::format("there are two request types {}", Quoted(request.name)));
    }
    app.requests.push_back(std::move(request));
  }
  for (std::size_t i = 0; i < services.size(); ++i) {
    BERTH_RETURN_IF_ERROR(ReadCapacities(services[i], app, app.services[i]));
  }
  return app;
}

Status CheckCount(const Node& list, std::size_t count, std::size_t most, std::string_view what) {
  if (count == 0) return list.Error(fmt::format("has no {}; name at least one", what));
  if (count <= most) return {};
  return list.Error(
      fmt::format("has {} {}, at most {} are read", FormatCount(count), what, FormatCount(most)));
}

}  // namespace berth::multiverse
