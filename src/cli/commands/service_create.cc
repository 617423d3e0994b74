#include <fmt/format.h>

#include "base/text.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "fleet/service_file.h"
#include "serve/messages.h"
#include "serve/server.h"

namespace berth {
namespace {

// "machine", "rack" or "update_domain": each instance in one of its own; a number: over at least so
// many racks.
Status ReadSpread(const std::string& text, v1::Constraints& constraints) {
  if (text == "machine") {
    constraints.set_max_per_machine(1);
    return {};
  }
  if (text == "rack") {
    constraints.set_max_per_rack(1);
    return {};
  }
  if (text == "update_domain") {
    constraints.set_max_per_update_domain(1);
    return {};
  }
  const Parsed<std::int64_t> racks = ParseInteger(text);
  if (racks.error != std::errc() || racks.value < 1 || racks.value > INT32_MAX) {
    return {
        Code::kInvalidArgument,
        fmt::format("--spread is {}; write machine, rack, update_domain, or over how many racks",
                    Quoted(text))};
  }
  constraints.set_spread_racks(static_cast<std::uint32_t>(racks.value));
  return {};
}

Result<v1::Service> ReadService(const Invocation& given) {
  v1::Service service;
  service.set_name(given.Text("NAME"));
  service.set_tenant(given.Text("--tenant"));
  service.set_class_(given.Text("--class"));
  v1::Group& group = *service.add_groups();
  group.set_type(given.Text("--type"));
  const std::uint64_t count = given.Number("--count");
  if (count < 1 || count > kGangMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--count must be 1 to {}, not {}", kGangMax, count));
  }
  group.set_count(static_cast<std::uint32_t>(count));
  if (given.Has("--spread")) {
    BERTH_RETURN_IF_ERROR(ReadSpread(given.Text("--spread"), *service.mutable_constraints()));
  }
  if (given.Has("--isolate")) service.mutable_constraints()->set_isolate(true);
  return service;
}

int RunServiceCreate(const Invocation& given, Console& console) {
  const Result<v1::Service> service = ReadService(given);
  if (!service.ok()) return console.Fail(service.status());
  const Result<std::unique_ptr<Client>> client = Client::Connect(given);
  if (!client.ok()) return console.Fail(client.status());
  v1::CreateServiceRequest request;
  *request.mutable_service() = service.value();
  request.set_idempotency_key(given.Has("--key") ? given.Text("--key") : NewIdempotencyKey());
  return PrintOutcome(given, console,
                      client.value()->Call(&v1::Berth::Stub::CreateService, request));
}

}  // namespace

Command ServiceCreate() {
  return {.words = "service create",
          .summary = "place a new service: all of its instances, or none",
          .arguments = {{"NAME", "the service's name"}},
          .options = {{"--type", "TYPE", "of its instances; 'berth get types' lists them", true},
                      {"--count", "N", "how many instances", false, "1"},
                      {"--tenant", "NAME", "who owns it", false, kFirstTenant},
                      {"--class", "NAME", "what it is promised", false, kDefaultClass},
                      {"--spread", "machine|rack|update_domain|N",
                       "each instance on a machine or in a rack or update domain of its own, or "
                       "over at least N racks"},
                      {"--isolate", "", "its machines hold no other tenant"},
                      {"--key", "KEY", "a retry with the same key never places twice"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kJsonOption},
          .examples = {"berth service create web --type D2 --count 4 --spread rack"},
          .run = RunServiceCreate};
}

}  // namespace berth
