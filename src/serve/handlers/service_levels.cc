#include "serve/service_levels.h"

#include <fmt/format.h>

#include "base/text.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void ListPending(Zone& zone, const v1::ListPendingRequest& request,
                 const Respond<v1::PendingList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  const std::string& klass = request.class_();
  if (!klass.empty() && zone.view().settings().FindClass(ClassId(klass)) == nullptr) {
    return respond(Status(Code::kNotFound, fmt::format("there is no class {}", Quoted(klass))));
  }
  v1::PendingList reply;
  reply.set_next_page_token(page.value().Walk(PendingIn(zone.view(), klass, zone.decides().now()),
                                              [&](const v1::PendingInstance& pending) {
                                                *reply.add_pending() = pending;
                                                return true;
                                              }));
  respond(std::move(reply));
}

void GetServiceLevels(Zone& zone, const v1::GetServiceLevelsRequest& /*request*/,
                      const Respond<v1::ServiceLevels>& respond) {
  respond(ServiceLevelsIn(zone.view(), zone.decides().now()));
}

}  // namespace

void AddServiceLevelHandlers(HandlerTable& table) {
  AddHandler(table, "ListPending", ListPending);
  AddHandler(table, "GetServiceLevels", GetServiceLevels);
}

}  // namespace berth
