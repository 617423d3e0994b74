// The traces of past tenants, as models, and which of them may stand for a tenant of today.
//
// D(db) are the models of the tenant's class and role that lived at least as long as it has, and
// whose peak is at least its observed peak in every resource. Both only grow while a tenant lives,
// so D(db) only shrinks. A draw is a function of (tenant, repetition): the first of kAttempts
// random models of the group that is in D(db), and if none is, the one in D(db) with the least
// random number, for which the group is read through once. Each is uniform over D(db), and each
// stays what it was for as long as it is in D(db); so it has the distribution of drawing afresh,
// and nothing of it need be stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/status.h"
#include "oversub/demand_model.h"
#include "oversub/hosted_tenant.h"

namespace berth {

enum class TraceIndex : std::uint32_t {};
// D(db) is empty: what the tenant is taken to need is held for ever (HostedTenant::Held).
inline constexpr TraceIndex kNoTrace{UINT32_MAX};
// So that a draw, or that there is none, takes three bytes (DrawTable).
inline constexpr std::size_t kLibraryModelsMax = (1U << 24) - 1;
// Of whose tenants there are no traces.
inline constexpr TenantClass kNoClass{UINT16_MAX};

// The order in which a library keeps models, for traces beside it.
template <typename Trace>
void SortAsInLibrary(std::vector<Trace>& traces) {
  std::ranges::stable_sort(
      traces, {}, [](const Trace& trace) { return std::pair(trace.tenant_class, trace.role); });
}

class TraceLibrary {
 public:
  // Refuses models without a lifetime, or whose growth does not end within it. The names are those
  // of the classes, in their order: of a fleet's instance types.
  static Result<TraceLibrary> Build(std::vector<DemandModel> models,
                                    std::vector<std::string> class_names = {});

  std::size_t size() const { return models_.size(); }
  const DemandModel& model(TraceIndex index) const {
    return models_[static_cast<std::size_t>(index)];
  }
  std::span<const std::string> class_names() const { return class_names_; }
  // kNoClass: there is none of that name.
  TenantClass ClassNamed(std::string_view name) const;
  // All of one class and role.
  std::span<const DemandModel> Group(TenantClass tenant_class, TenantRole role) const;

  // Whether the model, one of the tenant's group, is in D(db).
  static bool Eligible(const DemandModel& model, const HostedTenant& tenant, Step now);

  TraceIndex Draw(const HostedTenant& tenant, Step now, std::uint32_t repetition) const;
  // The same for every repetition.
  void DrawAll(const HostedTenant& tenant, Step now, std::span<TraceIndex> drawn) const;
  // The same, given what was drawn at an earlier time.
  void DrawAgain(const HostedTenant& tenant, Step now, std::span<TraceIndex> drawn) const;

  std::size_t bytes() const;

 private:
  friend class TraceDraws;
  static constexpr std::uint32_t kAttempts = 32;

  struct GroupRange {
    TenantClass tenant_class{};
    TenantRole role{};
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  // What makes a model eligible, apart from the rest of it: four of them in a line of the cache.
  struct Reach {
    Step lifetime = 0;
    Demand peak;

    bool Explains(const HostedTenant& tenant, Step now) const;
  };
  static_assert(sizeof(Reach) == 16);

  TraceLibrary() = default;
  const GroupRange* Find(TenantClass tenant_class, TenantRole role) const;
  // kNoTrace: none of the first models tried is in D(db).
  TraceIndex Try(const GroupRange& group, const HostedTenant& tenant, Step now,
                 std::uint32_t repetition) const;
  // All of D(db).
  std::vector<std::uint32_t> AllEligible(const GroupRange& group, const HostedTenant& tenant,
                                         Step now) const;

  std::vector<std::string> class_names_;
  std::vector<DemandModel> models_;  // By class and role.
  std::vector<Reach> reaches_;       // Theirs.
  std::vector<GroupRange> groups_;   // In the same order.
};

// What one tenant draws at one time. D(db) is looked for once, if ever.
class TraceDraws {
 public:
  // The library outlives it.
  TraceDraws(const TraceLibrary& library, const HostedTenant& tenant, Step now)
      : library_(&library),
        tenant_(tenant),
        now_(now),
        group_(library.Find(tenant.tenant_class, tenant.role)) {}

  TraceIndex In(std::uint32_t repetition);

 private:
  const TraceLibrary* library_;
  HostedTenant tenant_;
  Step now_;
  const TraceLibrary::GroupRange* group_;
  std::optional<std::vector<std::uint32_t>> eligible_;
};

}  // namespace berth
