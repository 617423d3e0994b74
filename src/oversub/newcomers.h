// Those that are to be placed: what each kind of them draws in this epoch, and what it is taken to
// use at first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "berth/name.h"
#include "oversub/newcomer.h"
#include "oversub/policy.h"

namespace berth {

class Newcomers {
 public:
  // The library outlives it.
  Newcomers(const TraceLibrary& library, const OversubPolicy& policy)
      : library_(&library), policy_(policy) {}

  // Those made before are gone. Newcomers of the epoch come within it.
  void BeginEpoch(std::uint64_t epoch, Newcomer::Arrival within);

  // The class that is called like the type.
  TenantClass ClassOf(TypeId type) const;
  bool HasTraces(TenantClass tenant_class, TenantRole role) const {
    return !library_->Group(tenant_class, role).empty();
  }
  // Of the class's demands once grown, the policy's percentile; the limit if there are no traces of
  // it: what it was promised.
  Demand InitialUsage(TenantClass tenant_class, TenantRole role, const Demand& limit) const;
  // The same of a type.
  Demand InitialUsageOf(TypeId type, TenantRole role, const Demand& limit) const;
  // Holds until the next is asked for.
  const Newcomer& Of(TypeId type, TenantRole role, const Demand& limit) const;

  // One that exists, of which something was observed: a number for it as it is known now, never 0.
  std::uint64_t Know(const HostedTenant& tenant, const Demand& usage) const;
  // It, by that number of this epoch; null: there is none, as for 0. Holds until the next is asked
  // for.
  const Newcomer* Known(std::uint64_t number) const;
  const Demand* KnownUsage(std::uint64_t number) const;

 private:
  struct Kind {
    TenantClass tenant_class{};
    TenantRole role{};
    Demand limit;  // Nothing where there are traces: it does not matter then.

    friend bool operator==(const Kind&, const Kind&) = default;
  };
  struct KindHash {
    std::size_t operator()(const Kind& kind) const;
  };

  const TraceLibrary* library_;
  OversubPolicy policy_;
  std::uint64_t epoch_ = 0;
  Newcomer::Arrival within_;
  // Looked up again and again, and worked out when first asked for.
  mutable std::unordered_map<TypeId, TenantClass> classes_;
  mutable std::map<std::pair<TenantClass, TenantRole>, Demand> initial_;
  mutable std::unordered_map<Kind, Newcomer, KindHash> kinds_;
  // As many as are moved within an epoch; drawn for the one that is asked about.
  struct Observed {
    HostedTenant tenant;
    Demand usage;
  };
  mutable std::unordered_map<std::uint64_t, Observed> known_;
  mutable std::optional<Newcomer> drawn_known_;
  mutable std::uint64_t drawn_as_ = 0;
  // Rules ask about one of them for every machine in turn.
  struct Asked {
    TypeId type;
    TenantRole role{};
    Demand limit;

    friend bool operator==(const Asked&, const Asked&) = default;
  };
  mutable Asked last_asked_;
  mutable const Newcomer* last_found_ = nullptr;
  mutable Asked last_usage_asked_;
  mutable std::optional<Demand> last_usage_;
};

}  // namespace berth
