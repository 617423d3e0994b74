// Service files: what reads is a well-formed service, which only tenants, types and classes that
// are not there can refuse.
#include <string>

#include "berth/check.h"
#include "fleet/judge.h"
#include "fleet/service_file.h"
#include "fuzz/target.h"

namespace {

using namespace berth;  // NOLINT(google-build-using-namespace): a program of its own.

ChangeSet Create(const Service& service) {
  ChangeSet change;
  change.operations.emplace_back(Put{Tenant{.name = service.tenant, .quota = {}}});
  change.operations.emplace_back(Put{service});
  Resources size;
  size[Resource::kCpu] = 1000;
  std::uint32_t number = 0;
  for (const InstanceGroup& group : service.groups) {
    change.operations.emplace_back(
        Put{InstanceType{.name = group.type, .size = size, .skus = {}, .requires_labels = {}}});
    for (std::uint32_t i = 0; i < group.count; ++i) {
      Instance instance;
      instance.id = {service.name, number++};
      instance.type = group.type;
      instance.role = group.role;
      instance.limit = size;
      change.operations.emplace_back(Put{instance});
    }
  }
  return change;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Result<std::vector<Service>> services =
      ParseServiceFile(std::string(data, data + size), "fuzz");
  if (!services.ok()) {
    BERTH_CHECK(services.status().message().starts_with("fuzz:"));
    return 0;
  }
  const Inventory inventory;
  for (const Service& service : services.value()) {
    const Judgement judgement = Judge(inventory, Create(service), Time());
    if (!judgement.violation) continue;
    BERTH_CHECK(inventory.settings().FindClass(service.klass) == nullptr);
    BERTH_CHECK(judgement.violation->rule == RuleId("exists"));
  }
  return 0;
}
