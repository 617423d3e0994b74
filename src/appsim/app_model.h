// An application of services as a queueing network, the nodes that it may run on, and its users:
// all that a simulation of single requests needs to know besides who scales it.
//
// A request enters at a service. Each service works on it (upstream), then calls all services that
// come next for its type, at once. Where nothing comes next the request turns into a response. A
// service works on the response (downstream) when all that it called have answered, and hands it
// to whoever called it. What no instance has room for waits in a buffer of the service.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"
#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_type.h"

namespace berth {

// A quantity that varies. Draws below zero are zero.
struct Spread {
  enum class Kind : std::uint8_t { kConstant, kNormal, kExponential };
  Kind kind = Kind::kConstant;
  double mean = 0;
  double deviation = 0;  // Of the normal one.

  friend bool operator==(const Spread&, const Spread&) = default;
};

// What instances and requests use while they run, in the units of Resources: cpu, memory, disk,
// network. Devices are placed, not shared.
inline constexpr std::size_t kUsedCount = 4;
using SpreadUse = std::array<Spread, kUsedCount>;
using UsedAmounts = std::array<std::int64_t, kUsedCount>;

enum class BufferOrder : std::uint8_t { kFifo, kLifo, kOldestFirst, kPriority };

struct AppBuffer {
  BufferOrder order = BufferOrder::kFifo;
  std::vector<std::uint32_t> capacity{};  // By request type; 0, or shorter: as many as come.
};

struct AppService {
  std::string name{};
  std::vector<std::size_t> next{};  // That it calls, by index; no service calls itself in the end.
  Resources need{};  // Of an instance, for placing it: its limits. Not enforced while it runs.
  SpreadUse idle{};  // What an instance uses as long as it is up, drawn when it starts.
  std::int64_t work_milli = 1'000;  // Cpu of an instance for what it works on at one time.
  AppBuffer upstream{};
  AppBuffer downstream{};
  Spread boot{};         // Microseconds from its node being up to its first request.
  Spread termination{};  // Microseconds given to finish what it works on.
};

struct AppTimes {
  Spread upstream{};  // Microseconds.
  Spread
      downstream{};  // Not given: the response passes without waiting, as where nothing is called.
};

struct AppRequestType {
  std::string name{};
  std::size_t entry = 0;
  std::vector<AppTimes> times{};  // By service.
  std::vector<bool> visits{};     // By service; empty: all below the entry.
  SpreadUse need{};               // While a service works on it, drawn for each service.
  Spread request_bytes{};
  Spread response_bytes{};
  Duration timeout{};         // Since the user sent it; reached: lost.
  Duration target{};          // An answer within it is a good one; 0: the timeout.
  std::int64_t priority = 0;  // The highest first, where buffers go by it.
};

// Of a node whose cpu may be faster than its baseline while it has credits. They are counted in
// thousandths of a cpu times microseconds: a credit of public clouds is one cpu for one minute. A
// node earns its baseline all the time and spends what it uses.
inline constexpr std::int64_t kCpuCredit = std::int64_t{1'000} * 60 * 1'000'000;
struct CpuBurst {
  std::int64_t baseline_milli = 0;  // What it may use for ever; 0: its cpu is always all there.
  std::int64_t most = 0;            // That it can hold,
  std::int64_t start = 0;           // and has when it comes up.

  friend bool operator==(const CpuBurst&, const CpuBurst&) = default;
};

struct AppNodeType {
  VmType vm{};  // Its boot is the mean of what is below.
  CpuBurst burst{};
  Spread boot{};         // Microseconds from ordering one to being up.
  Spread termination{};  // Microseconds from its last instance gone to being gone, paid for.
  Duration latency{};    // Of whatever is sent to it. Its bandwidth is vm.capacity's network.
};

struct AppLoad {
  enum class Arrivals : std::uint8_t { kPoisson, kEven };
  std::size_t request_type = 0;
  Duration step{};
  std::vector<double> rates{};  // Requests a second in each step; none before and after.
  double deviation = 0;         // Of the rate, drawn anew for every second.
  Arrivals arrivals = Arrivals::kPoisson;
};

// Regions have nothing in common but the application.
struct AppRegion {
  std::string name{};
  Duration user_latency{};             // To the entry and back, each way.
  std::int64_t user_network_mbit = 0;  // Of what users send; 0: as much as they like.
  std::vector<VmGroup> deployment{};   // What there is at first.
  std::vector<AppLoad> loads{};
};

struct AppModel {
  std::vector<AppService> services{};
  std::vector<AppRequestType> request_types{};
  std::vector<AppNodeType> node_types{};
  std::vector<AppRegion> regions{};
  Duration duration{};
  Duration metric_step = std::chrono::seconds(1);  // Of the series that policies see.
  bool deployed_before = true;  // Or what there is at first is ordered when the load begins.
};

inline constexpr std::size_t kAppServicesMax = 1'000;
inline constexpr std::size_t kAppRequestTypesMax = 200;
inline constexpr std::size_t kAppRegionsMax = 100;
inline constexpr std::size_t kAppCallsMax = 2'000;      // That one request leads to.
inline constexpr std::size_t kAppStepsMax = 1'000'000;  // Of a load, and of metrics.
inline constexpr std::size_t kAppInstancesMax =
    1'000'000;                                        // And nodes that are, or were, in a run,
inline constexpr std::size_t kAppAliveMax = 100'000;  // and at one time.
// Of a node, an instance or a request: cpu in thousandths, memory and disk in bytes, network in
// Mbit/s. Sums of so many fit.
inline constexpr std::array<std::int64_t, kUsedCount> kAppAmountMax = {
    1'000'000'000, std::int64_t{1} << 44, std::int64_t{1} << 44, std::int64_t{1} << 24};
inline constexpr std::int64_t kAppCreditsMax = 100'000'000;
inline constexpr double kAppRateMax = 1e6;  // Requests a second, of one load.
inline constexpr std::int64_t kAppMicrosMax = std::int64_t{400} * 86'400 * 1'000'000;

// Whether it can be simulated: every index in range, numbers finite and not negative, services
// without a cycle, everything within the bounds above. The message names the part.
Status CheckAppModel(const AppModel& model);

}  // namespace berth
