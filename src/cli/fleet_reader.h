// What the reading commands show: from a server, or from a store that nobody serves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "berth.pb.h"
#include "cli/client.h"
#include "cli/command.h"

namespace berth {

inline constexpr Option kReadStoreOption = {
    "--store", "DIR",
    "read this store, also written rocksdb:DIR, or etcd:HOST:PORT/PREFIX, instead of asking a "
    "server"};

template <typename Message>
struct ListOf {
  std::vector<Message> items;
  bool more = false;  // There are more than were asked for.
};

class FleetReader {
 public:
  virtual ~FleetReader() = default;

  // By name, at most so many.
  virtual Result<ListOf<v1::MachineState>> Machines(std::size_t most) = 0;
  virtual Result<ListOf<v1::ServiceSummary>> Services(std::size_t most) = 0;
  virtual Result<ListOf<v1::Instance>> Instances(std::size_t most) = 0;
  virtual Result<ListOf<v1::InstanceType>> Types(std::size_t most) = 0;
  virtual Result<ListOf<v1::TenantState>> Tenants(std::size_t most) = 0;
  // Least leeway first.
  virtual Result<ListOf<v1::PendingInstance>> Pending(std::size_t most) = 0;
  virtual Result<v1::ServiceLevels> ServiceLevels() = 0;
  // The latest first.
  virtual Result<ListOf<v1::ExplainedDecision>> Decisions(std::size_t most) = 0;
  virtual Result<v1::ExplainedDecision> Explain(const std::string& id) = 0;
  virtual Result<v1::WhyNotReply> AskWhyNot(const v1::WhyNotRequest& request) = 0;
};

// As --store, or else --server, says.
Result<std::unique_ptr<FleetReader>> OpenFleet(const Invocation& invocation);

}  // namespace berth
