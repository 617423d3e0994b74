// Requests on their way through services: links, buffers, work. Who is there to do the work is told
// from outside (app_platform.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "appsim/agenda.h"
#include "appsim/app_outcome.h"
#include "appsim/arrivals.h"
#include "appsim/bursting_cpu.h"
#include "appsim/draws.h"
#include "appsim/in_flight.h"
#include "appsim/meter.h"
#include "appsim/ring.h"
#include "appsim/waiting_line.h"

namespace berth {

class AppFlow {
 public:
  AppFlow(const AppModel& model, const AppRegion& region,
          std::vector<std::vector<AppCall>> calls_of_types, const Rng& rng, Agenda& agenda,
          RequestSink* sink);

  // The first arrival of each load is put on the agenda.
  void Begin();
  void Arrive(std::uint32_t load);
  void TimeOut(std::uint32_t type);
  void Deliver(std::uint32_t lane);
  void Finish(std::uint32_t part);
  // What is done first on a node that bursts, unless it has turned out to be done at another time.
  void FinishFirst(std::uint32_t event);

  std::uint32_t AddNode(std::size_t type);
  // Ready to work from now on. `idle` is what it uses besides.
  std::uint32_t AddInstance(std::uint32_t service, std::uint32_t node, const UsedAmounts& idle);
  void StopTaking(std::uint32_t instance);
  // Loses what it works on.
  void RemoveInstance(std::uint32_t instance);

  std::uint32_t ReadyCount(std::uint32_t service) const {
    return static_cast<std::uint32_t>(services_[service].ready.size());
  }
  // What was measured since the last step goes to the series; from the totals to the outcome.
  void EndStep(AppSeries& series);
  void EndRun(AppOutcome& outcome);
  // By all nodes in the last step, times microseconds; network in bits a second.
  const std::array<double, kUsedCount>& used_in_step() const { return used_in_step_; }
  // Of all nodes of a type that there were.
  double ThrottledSeconds(std::size_t node_type, std::int64_t now);

 private:
  // What is drawn for a call; resources take a number each from the given one on.
  enum class DrawnFor : std::uint8_t {
    kUpstreamTime,
    kDownstreamTime,
    kRequestBytes,
    kResponseBytes,
    kUpstreamUse,
    kDownstreamUse = kUpstreamUse + kUsedCount,
  };
  struct RequestTypeState {
    std::vector<AppCall> calls;
    std::vector<AppTimes> times;  // By call.
    Draws draws{0};
    std::int64_t timeout_us = 0;
    std::int64_t target_us = 0;
    std::uint64_t numbers = 0;
    bool deadline_set = false;
  };
  struct Lane {  // All transfers that take the same time, so that they arrive in order.
    struct Transfer {
      std::int64_t at = 0;
      std::uint64_t order = 0;
      std::int64_t bits_per_s = 0;
      std::uint32_t part = 0;
      std::uint32_t node = kNone;  // None: to the user.
    };
    std::int64_t latency_us = 0;
    Ring<Transfer> transfers{};
  };
  struct NodeState {
    UsedAmounts capacity{};
    UsedAmounts used{};
    std::uint32_t worked_on = 0;  // Parts.
    std::uint32_t lane = 0;
    std::uint32_t lane_from_user = 0;
    bool tight = false;  // Somebody waits for room on it.
    bool bursts = false;
    std::vector<std::uint32_t> instances{};
  };
  // All that is worked on there goes on at one speed, so who is done first does not depend on it:
  // one event for the first is enough, and another when the speed changes.
  struct BurstingNode {
    struct Due {
      std::int64_t work = 0;  // Done by then.
      std::uint64_t order = 0;
      std::uint32_t part = 0;
    };
    std::size_t type = 0;
    BurstingCpu cpu;
    std::vector<Due> due{};      // A heap, the first on top.
    std::uint32_t next = kNone;  // The event that counts; earlier ones are passed over.
    std::int64_t next_at = 0;
    std::uint64_t next_order = 0;
  };
  struct InstanceState {
    std::uint32_t service = 0;
    std::uint32_t node = 0;
    std::uint32_t place = kNone;  // Among those of its service that are ready.
    UsedAmounts used{};
  };
  struct StepOfService {
    std::array<double, 2> waited_us{};
    std::array<std::uint64_t, 2> taken{};
    std::uint64_t came = 0;
  };
  struct ServiceState {
    std::array<WaitingLine, 2> lines;  // Upstream, downstream.
    std::vector<std::int64_t>
        free_milli{};  // Of those that are ready, in the order they became so.
    std::vector<std::uint32_t> ready{};
    std::size_t turn = 0;       // Whose turn it is to work,
    std::size_t link_turn = 0;  // and to whose node is sent.
    std::size_t line_turn = 1;  // And which of the lines.
    std::int64_t work_milli = 0;
    UsedAmounts allowed{};  // An instance.
    Meter<kUsedCount> used{};
    Meter<kUsedCount> allowed_all{};
    Meter<2> waiting{};
    StepOfService step{};
  };
  struct StepOfType {
    std::uint64_t sent = 0, answered = 0, good = 0, lost = 0;
    double response_us = 0, waited_us = 0, on_links_us = 0;
  };

  // app_flow.cc: the ways of requests.
  std::uint32_t LaneOf(Duration latency);
  std::uint32_t ServiceOf(const RequestPart& part) const;
  std::uint64_t DrawNumber(const RequestPart& part, DrawnFor what) const;
  void ScheduleArrival(std::uint32_t load);
  void SendRequest(std::uint32_t part);
  void SendResponse(std::uint32_t part);
  void Transfer(std::uint32_t part, std::uint32_t service, const Spread& bytes, DrawnFor what,
                bool from_user);
  void PutOnLane(std::uint32_t lane, std::uint32_t part, std::uint32_t node, std::int64_t bits);
  void ReturnTo(std::uint32_t child);
  void Answer(std::uint32_t part);
  void Lose(std::uint32_t request, LossCause cause, std::uint32_t service);
  void CauseOfDelay(const RequestUnderWay& request, LossCause& cause, std::uint32_t& service) const;

  // app_flow_work.cc: who works on them.
  void Enter(std::uint32_t part);
  UsedAmounts DrawUse(const RequestPart& part) const;
  bool NodeHolds(NodeState& node, const UsedAmounts& use);
  std::size_t FindRoom(ServiceState& service, const UsedAmounts& use);
  void WorkOn(ServiceState& service, std::uint32_t part, std::size_t place, std::int64_t waited);
  void TakeFirst(ServiceState& service, std::size_t line, std::size_t place);
  void Serve(ServiceState& service);
  void ServeAt(ServiceState& service, std::size_t place);
  void ServeNode(std::uint32_t node);
  void Release(std::uint32_t part);

  // app_flow_burst.cc: nodes that burst.
  void AddBursting(std::uint32_t node, std::size_t type);
  void WorkOnBursting(std::uint32_t node, std::uint32_t part, std::int64_t takes);
  void CpuChanged(std::uint32_t node);

  const AppModel& model_;
  const AppRegion& region_;
  Agenda& agenda_;
  RequestSink* sink_;
  InFlight in_flight_;
  std::vector<RequestTypeState> types_;
  std::vector<LoadArrivals> arrivals_;
  std::vector<Lane> lanes_;
  std::vector<NodeState> nodes_;
  std::unordered_map<std::uint32_t, BurstingNode> bursting_;  // By node.
  std::vector<std::uint32_t> node_of_event_;                  // Of those that burst, by event,
  std::vector<std::uint32_t> free_events_;                    // and which are not on the agenda.
  std::vector<InstanceState> instances_;
  std::vector<ServiceState> services_;
  Meter<kUsedCount> used_all_;
  std::array<double, kUsedCount> used_in_step_{};
  std::int64_t from_users_bits_per_s_ = 0;
  std::vector<StepOfType> steps_;
  AppOutcome outcome_;
};

}  // namespace berth
