#include <fmt/format.h>

#include "base/text.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void Create(Zone& zone, const v1::CreateServiceRequest& request,
            const Respond<v1::Outcome>& respond) {
  Result<Service> service = ToService(request.service());
  if (!service.ok()) return respond(service.status());
  SubmitAndAnswer(zone, CreateService{std::move(service).value()}, request.idempotency_key(),
                  respond);
}

void GetService(Zone& zone, const v1::GetServiceRequest& request,
                const Respond<v1::ServiceState>& respond) {
  const ServiceState* service = zone.view().FindService(request.name());
  if (service == nullptr) {
    return respond(
        Status(Code::kNotFound, fmt::format("there is no service {}", Quoted(request.name()))));
  }
  v1::ServiceState reply;
  ToMessage(service->record, *reply.mutable_service());
  for (const KeptInstance& instance : service->instances) {
    ToMessage(instance, *reply.add_instances());
  }
  respond(std::move(reply));
}

void ListServices(Zone& zone, const v1::ListServicesRequest& request,
                  const Respond<v1::ServiceList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  v1::ServiceList reply;
  const std::map<std::string, HeldBack> held_back = zone.engine().held_back();
  reply.set_next_page_token(
      page.value().Walk(zone.view().services(), [&](const ServiceState& service) {
        const bool wanted =
            !service.vacant() &&
            (request.tenant().empty() || service.record.tenant.str() == request.tenant()) &&
            service.record.name.starts_with(request.name_prefix());
        if (!wanted) return false;
        v1::ServiceSummary& summary = *reply.add_services();
        ToMessage(service, summary);
        if (const auto held = held_back.find(service.record.name); held != held_back.end()) {
          ToMessage(held->second, summary);
        }
        return true;
      }));
  respond(std::move(reply));
}

void Scale(Zone& zone, const v1::ScaleServiceRequest& request,
           const Respond<v1::Outcome>& respond) {
  Result<std::vector<InstanceGroup>> groups = ToGroups(request.groups());
  if (!groups.ok()) return respond(groups.status());
  SubmitAndAnswer(zone, ScaleService{request.name(), std::move(groups).value()},
                  request.idempotency_key(), respond);
}

void ResizeAll(Zone& zone, const v1::ResizeServiceRequest& request,
               const Respond<v1::Outcome>& respond) {
  const std::optional<TypeId> type = TypeId::Known(request.type());
  if (!type || type->empty()) {
    return respond(
        Status(Code::kNotFound, fmt::format("type: there is no type {}", Quoted(request.type()))));
  }
  const Result<Resources> limit = ToResources(request.limit(), "limit");
  if (!limit.ok()) return respond(limit.status());
  SubmitAndAnswer(zone, ResizeService{request.name(), *type, limit.value()},
                  request.idempotency_key(), respond);
}

void Delete(Zone& zone, const v1::DeleteServiceRequest& request,
            const Respond<v1::Outcome>& respond) {
  SubmitAndAnswer(zone, DeleteService{request.name()}, request.idempotency_key(), respond);
}

}  // namespace

void AddServiceHandlers(HandlerTable& table) {
  AddHandler(table, "CreateService", Create);
  AddHandler(table, "GetService", GetService);
  AddHandler(table, "ListServices", ListServices);
  AddHandler(table, "ScaleService", Scale);
  AddHandler(table, "ResizeService", ResizeAll);
  AddHandler(table, "DeleteService", Delete);
}

}  // namespace berth
