#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "serve/handlers/builtin.h"

namespace berth {
namespace {

constexpr int kReportsMax = 1000;

bool Matches(const v1::ListInstancesRequest& request, const Instance& instance) {
  return (request.machine().empty() || instance.machine.str() == request.machine()) &&
         (!request.pending() || instance.state == InstanceState::kPending);
}

// Pages by service: one page holds all the matching instances of every service it reaches, so it
// may be longer than asked for by those of its last service.
void ListInstances(Zone& zone, const v1::ListInstancesRequest& request,
                   const Respond<v1::InstanceList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  v1::InstanceList reply;
  const auto services = zone.view().services();
  std::uint64_t slot = page.value().begin();
  for (; slot < services.size(); ++slot) {
    if (static_cast<std::uint32_t>(reply.instances_size()) >= page.value().size()) break;
    const ServiceState& service = services[slot];
    if (service.vacant()) continue;
    if (!request.service().empty() && service.record.name != request.service()) continue;
    for (const KeptInstance& instance : service.instances) {
      if (Matches(request, instance)) ToMessage(instance, *reply.add_instances());
    }
  }
  if (slot < services.size()) reply.set_next_page_token(std::to_string(slot));
  respond(std::move(reply));
}

// The reports of one call: answered when the last is known.
struct Reports {
  v1::ReportInstancesReply reply;
  int left = 0;
  Respond<v1::ReportInstancesReply> respond;
};

void ReportInstances(Zone& zone, const v1::ReportInstancesRequest& request,
                     const Respond<v1::ReportInstancesReply>& respond) {
  if (request.reports_size() > kReportsMax) {
    return respond(Status(Code::kInvalidArgument,
                          fmt::format("reports are {}, and {} are the most; send several calls",
                                      request.reports_size(), kReportsMax)));
  }
  if (const Status status = CheckKey(request.idempotency_key()); !status.ok()) {
    return respond(status);
  }
  const auto all = std::make_shared<Reports>();
  all->respond = respond;
  all->left = request.reports_size();
  if (all->left == 0) return all->respond(all->reply);
  for (int i = 0; i < request.reports_size(); ++i) all->reply.add_errors();
  for (int i = 0; i < request.reports_size(); ++i) {
    const v1::InstanceReport& report = request.reports(i);
    const auto done = [all, i](const std::string& error) {
      all->reply.set_errors(i, error);
      if (--all->left == 0) all->respond(all->reply);
    };
    const std::optional<InstanceId> id = ParseInstanceId(report.instance());
    if (!id) {
      done(fmt::format("{} is no instance; give a service and a number, like web/3",
                       Quoted(report.instance())));
      continue;
    }
    if (!v1::Reported_IsValid(report.what())) {
      done("what is none of STARTED, STOPPED, FAILED, RAN_OUT_OF_MEMORY");
      continue;
    }
    const std::string key = request.idempotency_key().empty()
                                ? std::string()
                                : fmt::format("{}/{}", request.idempotency_key(), i);
    zone.engine().Submit(
        {.what = ReportInstance{*id, static_cast<Reported>(report.what())}, .idempotency_key = key},
        [done](const Reply& reply) {
          // A report leaves no decision to read again: that its key is known is the answer.
          const bool taken = reply.status.ok() || reply.duplicate;
          done(taken ? std::string() : reply.status.message());
        });
  }
}

}  // namespace

void AddInstanceHandlers(HandlerTable& table) {
  AddHandler(table, "ListInstances", ListInstances);
  AddHandler(table, "ReportInstances", ReportInstances);
}

}  // namespace berth
