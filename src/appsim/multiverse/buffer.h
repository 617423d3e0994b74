// Where items wait for a service, and the links that bring them there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "appsim/multiverse/items.h"
#include "appsim/multiverse/quirks.h"
#include "appsim/multiverse/set.h"

namespace berth::multiverse {

// Into a group of nodes, one for requests and one for responses. Services on the group share its
// bandwidth.
struct GroupLink {
  std::int64_t latency = 0;  // Microseconds.
  double bandwidth = 0;
  double used = 0;
  std::vector<std::vector<ItemIndex>> in_transfer{};  // By service.
};

// One of the two buffers of a service.
class ServiceBuffer {
 public:
  ServiceBuffer(const ServiceSpec& spec, std::size_t service, const std::vector<RequestSpec>& types)
      : spec_(&spec), service_(service), types_(&types), held_(types.size(), 0) {}

  std::size_t size() const { return queue_.size(); }
  const std::vector<std::size_t>& links() const { return links_; }
  void AddLink(std::size_t link) { links_.push_back(link); }
  void RemoveLink(std::size_t link) { std::erase(links_, link); }

  // Onto the next link in turn. False: there is none, or it has no room.
  bool Send(ItemIndex item, ItemPool& pool, std::vector<GroupLink>& links, std::int64_t step);
  // One step: throws away what has timed out, then takes in what has arrived. The items that were
  // lost are freed; their number.
  std::uint64_t Step(ItemPool& pool, std::vector<GroupLink>& links, std::int64_t step,
                     bool skips_items);

  // The first one, or the first one if as many of its id are here as it expects.
  bool HasFirst() const { return !queue_.empty(); }
  bool HasWholeFirst(const ItemPool& pool) const;
  ItemIndex First() const { return queue_.front(); }
  ItemIndex Take(const ItemPool& pool);
  // Takes the first and frees its siblings.
  ItemIndex TakeWhole(ItemPool& pool, bool reverses);
  // The last comes to the front.
  void Rotate();
  void ChargeWaiting(ItemPool& pool, std::int64_t step);
  // Microseconds that those here have waited at this service, on average.
  double MeanWaited(ItemPool& pool) const;

 private:
  void Insert(ItemIndex item, const ItemPool& pool);
  void Forget(const Item& item);

  const ServiceSpec* spec_;
  std::size_t service_;
  const std::vector<RequestSpec>* types_;
  std::vector<std::uint32_t> held_;  // By request type.
  std::deque<ItemIndex> queue_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_id_;  // Looked up only.
  std::vector<std::size_t> links_;
  std::size_t next_link_ = 0;
};

}  // namespace berth::multiverse
