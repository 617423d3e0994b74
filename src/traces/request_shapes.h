// What generated requests ask for: types, numbers of VMs and constraints.
//
// From Protean: 94% of the requests are for one VM, 99% for five or fewer, a few for hundreds;
// over 80% ask for the type that the request before asked for. The shares of constraints are ours:
// the paper names the kinds, not how often they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "berth/records.h"
#include "berth/rng.h"
#include "traces/vm_catalogue.h"

namespace berth {

// A type and how often it is asked for.
struct OfferedType {
  InstanceType type;
  double weight = 0;
};

// The catalogue's types as a fleet of these machines can take them: without those that fit nowhere,
// without restrictions to SKUs that the fleet does not have, without needs for resources that it
// does not state.
std::vector<OfferedType> OfferTypes(ProteanZone zone, std::span<const Machine> machines);

class RequestShapes {
 public:
  // A request takes at most a fiftieth of the cores, as long as that leaves it five VMs.
  RequestShapes(std::vector<OfferedType> types, std::vector<TenantId> tenants,
                std::int64_t fleet_millicores, const Rng& rng);

  // The next request, without a name.
  Service Next();
  // That requests ask for on average.
  double MeanMillicores() const;

 private:
  std::uint32_t CountMax(std::size_t type) const;
  std::size_t NextType();
  void AddInstances(Service& service, std::size_t type, std::uint32_t count);
  void AddConstraints(Constraints& constraints, std::uint32_t count);

  std::vector<OfferedType> types_;
  std::vector<double> weights_;
  std::vector<TenantId> tenants_;
  std::int64_t millicores_max_;
  Rng sizes_;
  Rng draws_;
  Rng constraints_;
  std::optional<std::size_t> last_type_;
};

}  // namespace berth
