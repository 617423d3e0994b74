#include <fmt/format.h>

#include "serve/handlers/builtin.h"

namespace berth {
namespace {

constexpr int kRecordsMax = 10'000;

template <typename Messages, typename Parse>
Status AddRecords(const Messages& messages, Parse parse, std::vector<Record>& records) {
  for (const auto& message : messages) {
    auto record = parse(message);
    if (!record.ok()) return record.status();
    records.emplace_back(std::move(record).value());
  }
  return {};
}

Result<ChangeFleet> ToChangeFleet(const v1::ChangeFleetRequest& request) {
  const int records = request.tenants_size() + request.types_size() + request.machines_size() +
                      request.remove_tenants_size() + request.remove_types_size();
  if (records > kRecordsMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} records in one call, and {} are the most; send several", records,
                              kRecordsMax));
  }
  ChangeFleet change;
  BERTH_RETURN_IF_ERROR(AddRecords(request.tenants(), ToTenant, change.put));
  BERTH_RETURN_IF_ERROR(AddRecords(request.types(), ToType, change.put));
  BERTH_RETURN_IF_ERROR(AddRecords(request.machines(), ToMachine, change.put));
  for (const std::string& name : request.remove_tenants()) {
    change.remove.push_back(KeyOf(RecordKind::kTenant, name));
  }
  for (const std::string& name : request.remove_types()) {
    change.remove.push_back(KeyOf(RecordKind::kType, name));
  }
  return change;
}

void Change(Zone& zone, const v1::ChangeFleetRequest& request,
            const Respond<v1::Outcome>& respond) {
  Result<ChangeFleet> change = ToChangeFleet(request);
  if (!change.ok()) return respond(change.status());
  SubmitAndAnswer(zone, std::move(change).value(), request.idempotency_key(), respond);
}

void ListTypes(Zone& zone, const v1::ListTypesRequest& request,
               const Respond<v1::TypeList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  v1::TypeList reply;
  reply.set_next_page_token(
      page.value().Walk(zone.view().TypesByName(), [&](const InstanceType* type) {
        ToMessage(*type, *reply.add_types());
        return true;
      }));
  respond(std::move(reply));
}

void ListTenants(Zone& zone, const v1::ListTenantsRequest& request,
                 const Respond<v1::TenantList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  v1::TenantList reply;
  reply.set_next_page_token(
      page.value().Walk(zone.view().tenants(), [&](const TenantState& tenant) {
        if (tenant.record.name.empty()) return false;
        ToMessage(tenant, *reply.add_tenants());
        return true;
      }));
  respond(std::move(reply));
}

}  // namespace

void AddFleetHandlers(HandlerTable& table) {
  AddHandler(table, "ChangeFleet", Change);
  AddHandler(table, "ListTypes", ListTypes);
  AddHandler(table, "ListTenants", ListTenants);
}

}  // namespace berth
