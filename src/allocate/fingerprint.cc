#include <string_view>

#include "berth/request.h"

namespace berth {
namespace {

// FNV-1a over the fields in order: stable across builds and machines, unlike std::hash.
class Hasher {
 public:
  void Add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) Mix(static_cast<unsigned char>(number >> (8 * byte)));
  }
  void Add(std::string_view text) {
    Add(text.size());
    for (const char c : text) Mix(static_cast<unsigned char>(c));
  }
  template <typename Tag>
  void Add(const Name<Tag>& name) {
    Add(std::string_view(name.str()));
  }
  void Add(const Resources& resources) {
    for (const Resource r : kAllResources) Add(static_cast<std::uint64_t>(resources[r]));
  }
  void Add(const Labels& labels) {
    Add(labels.size());
    for (const auto& [name, value] : labels) {
      Add(name);
      Add(value);
    }
  }
  void Add(const InstanceId& id) {
    Add(std::string_view(id.service));
    Add(id.number);
  }
  void Add(const std::vector<InstanceGroup>& groups) {
    Add(groups.size());
    for (const InstanceGroup& group : groups) {
      Add(group.type);
      Add(group.role);
      Add(group.count);
    }
  }
  std::uint64_t value() const { return hash_; }

 private:
  void Mix(unsigned char byte) {
    hash_ ^= byte;
    hash_ *= 0x100000001b3ULL;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

void AddAction(Hasher& h, const CreateService& a) {
  const Service& s = a.service;
  h.Add(std::string_view(s.name));
  h.Add(s.tenant);
  h.Add(s.klass);
  h.Add(s.groups);
  h.Add(s.constraints.spread_racks);
  h.Add(s.constraints.max_per_machine);
  h.Add(s.constraints.max_per_rack);
  h.Add(s.constraints.max_per_update_domain);
  h.Add(static_cast<std::uint64_t>(s.constraints.within));
  h.Add(std::uint64_t{s.constraints.isolate});
  h.Add(s.constraints.labels);
  h.Add(std::uint64_t{s.yield_whole});
}
void AddAction(Hasher& h, const ScaleService& a) {
  h.Add(std::string_view(a.service));
  h.Add(a.groups);
}
void AddAction(Hasher& h, const ResizeService& a) {
  h.Add(std::string_view(a.service));
  h.Add(a.type);
  h.Add(a.limit);
}
void AddAction(Hasher& h, const DeleteService& a) { h.Add(std::string_view(a.service)); }
void AddAction(Hasher& h, const MoveInstance& a) {
  h.Add(a.instance);
  h.Add(a.to);
}
void AddAction(Hasher& h, const PlacePending& a) { h.Add(std::string_view(a.service)); }
void AddAction(Hasher& h, const SeatPending& a) {
  h.Add(std::string_view(a.service));
  h.Add(a.seats.size());
  for (const Seat& seat : a.seats) {
    h.Add(std::uint64_t{seat.number});
    h.Add(seat.machine);
    h.Add(seat.victims.size());
    for (const Seat::Yields& victim : seat.victims) h.Add(victim.instance);
  }
}
void AddAction(Hasher& h, const SuspendInstance& a) {
  h.Add(a.instance);
  h.Add(static_cast<std::uint64_t>(a.reason));
}
void AddAction(Hasher& h, const ReportInstance& a) {
  h.Add(a.instance);
  h.Add(static_cast<std::uint64_t>(a.report));
}
void AddAction(Hasher& h, const SetHealth& a) {
  h.Add(a.machine);
  h.Add(static_cast<std::uint64_t>(a.health));
}
void AddRecord(Hasher& h, const Tenant& r) {
  h.Add(r.name);
  h.Add(std::uint64_t{r.quota.has_value()});
  h.Add(r.quota.value_or(Resources()));
}
void AddRecord(Hasher& h, const InstanceType& r) {
  h.Add(r.name);
  h.Add(r.size);
  h.Add(r.skus.size());
  for (const SkuId sku : r.skus) h.Add(sku);
  h.Add(r.requires_labels);
}
void AddRecord(Hasher& h, const Machine& r) {
  h.Add(r.name);
  h.Add(r.datacenter);
  h.Add(r.cluster);
  h.Add(r.row);
  h.Add(r.rack);
  h.Add(r.update_domain);
  h.Add(r.sku);
  h.Add(r.capacity);
  h.Add(r.labels);
  h.Add(static_cast<std::uint64_t>(r.health));
}
// Other records are no part of the fleet, so the request is refused whatever they hold.
template <typename Other>
void AddRecord(Hasher& h, const Other& r) {
  h.Add(std::string_view(ToString(KeyOf(Record(r)))));
}

void AddAction(Hasher& h, const ChangeFleet& a) {
  h.Add(a.put.size());
  for (const Record& record : a.put) {
    h.Add(record.index());
    std::visit([&](const auto& r) { AddRecord(h, r); }, record);
  }
  h.Add(a.remove.size());
  for (const RecordKey& key : a.remove) h.Add(std::string_view(ToString(key)));
}
void AddAction(Hasher& h, const ApplyPolicy& a) { h.Add(std::string_view(a.text)); }

}  // namespace

std::uint64_t Fingerprint(const Request& request) {
  Hasher hasher;
  hasher.Add(request.what.index());
  std::visit([&](const auto& action) { AddAction(hasher, action); }, request.what);
  return hasher.value();
}

}  // namespace berth
