#include "cli/server_fleet.h"

#include <algorithm>

namespace berth {
namespace {

constexpr std::size_t kPageMax = 1000;

class ServerFleet final : public FleetReader {
 public:
  explicit ServerFleet(std::unique_ptr<Client> client) : client_(std::move(client)) {}

  Result<ListOf<v1::MachineState>> Machines(std::size_t most) override {
    return All<v1::MachineState>(most, &v1::Berth::Stub::ListMachines, v1::ListMachinesRequest(),
                                 &v1::MachineList::machines);
  }
  Result<ListOf<v1::ServiceSummary>> Services(std::size_t most) override {
    return All<v1::ServiceSummary>(most, &v1::Berth::Stub::ListServices, v1::ListServicesRequest(),
                                   &v1::ServiceList::services);
  }
  Result<ListOf<v1::Instance>> Instances(std::size_t most) override {
    return All<v1::Instance>(most, &v1::Berth::Stub::ListInstances, v1::ListInstancesRequest(),
                             &v1::InstanceList::instances);
  }
  Result<ListOf<v1::InstanceType>> Types(std::size_t most) override {
    return All<v1::InstanceType>(most, &v1::Berth::Stub::ListTypes, v1::ListTypesRequest(),
                                 &v1::TypeList::types);
  }
  Result<ListOf<v1::TenantState>> Tenants(std::size_t most) override {
    return All<v1::TenantState>(most, &v1::Berth::Stub::ListTenants, v1::ListTenantsRequest(),
                                &v1::TenantList::tenants);
  }
  Result<ListOf<v1::PendingInstance>> Pending(std::size_t most) override {
    return All<v1::PendingInstance>(most, &v1::Berth::Stub::ListPending, v1::ListPendingRequest(),
                                    &v1::PendingList::pending);
  }
  Result<v1::ServiceLevels> ServiceLevels() override {
    return client_->Call(&v1::Berth::Stub::GetServiceLevels, v1::GetServiceLevelsRequest());
  }
  Result<ListOf<v1::ExplainedDecision>> Decisions(std::size_t most) override {
    return All<v1::ExplainedDecision>(most, &v1::Berth::Stub::ListDecisions,
                                      v1::ListDecisionsRequest(), &v1::DecisionList::decisions);
  }
  Result<v1::ExplainedDecision> Explain(const std::string& id) override {
    v1::GetDecisionRequest request;
    request.set_id(id);
    return client_->Call(&v1::Berth::Stub::GetDecision, request);
  }
  Result<v1::WhyNotReply> AskWhyNot(const v1::WhyNotRequest& request) override {
    return client_->Call(&v1::Berth::Stub::WhyNot, request);
  }

 private:
  // Page by page, until there are as many as wanted.
  template <typename Item, typename Request, typename Reply>
  Result<ListOf<Item>> All(
      std::size_t most,
      grpc::Status (v1::Berth::Stub::*call)(grpc::ClientContext*, const Request&, Reply*),
      Request request, const google::protobuf::RepeatedPtrField<Item>& (Reply::*items)() const) {
    ListOf<Item> listed;
    while (true) {
      request.set_page_size(static_cast<std::uint32_t>(
          std::clamp<std::size_t>(most - listed.items.size(), 1, kPageMax)));
      BERTH_TRY(const Reply reply, client_->Call(call, request));
      for (const Item& item : (reply.*items)()) {
        if (listed.items.size() == most) {
          listed.more = true;
          return listed;
        }
        listed.items.push_back(item);
      }
      request.set_page_token(reply.next_page_token());
      if (reply.next_page_token().empty()) return listed;
      if (listed.items.size() >= most) {
        listed.more = true;
        return listed;
      }
    }
  }

  std::unique_ptr<Client> client_;
};

}  // namespace

std::unique_ptr<FleetReader> NewServerFleet(std::unique_ptr<Client> client) {
  return std::make_unique<ServerFleet>(std::move(client));
}

}  // namespace berth
