// Services and who calls whom: what every importer gives and every analysis takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kTopologyServicesMax = 10'000;
inline constexpr std::size_t kTopologyEdgesMax = 200'000;
inline constexpr std::size_t kTopologyNameBytesMax = 128;

enum class ServiceVertex : std::uint32_t {};
constexpr std::size_t ToIndex(ServiceVertex service) { return static_cast<std::size_t>(service); }

// One service calls another. At most one such edge between the same two in the same direction.
struct CallEdge {
  ServiceVertex caller{};
  ServiceVertex callee{};
  std::uint64_t calls = 1;  // As far as the source counts them; 1 otherwise.

  friend bool operator==(const CallEdge&, const CallEdge&) = default;
};

// Services in the order in which the source names them; edges by caller, then callee. Cycles are
// allowed; a service's calls to itself are no edges.
class ServiceGraph {
 public:
  const std::vector<std::string>& names() const { return names_; }
  const std::string& name(ServiceVertex service) const { return names_[ToIndex(service)]; }
  const std::vector<CallEdge>& edges() const { return edges_; }
  std::size_t size() const { return names_.size(); }
  // What was left out on reading, for people.
  const std::vector<std::string>& notes() const { return notes_; }

  // By service, ascending.
  std::vector<std::vector<ServiceVertex>> Callees() const;
  std::vector<std::vector<ServiceVertex>> Callers() const;

  friend bool operator==(const ServiceGraph&, const ServiceGraph&) = default;

 private:
  friend class ServiceGraphBuilder;
  std::vector<std::string> names_;
  std::vector<CallEdge> edges_;
  std::vector<std::string> notes_;
};

// Puts a graph together. What it refuses reads "is wrong; do this", for the importer to say where.
class ServiceGraphBuilder {
 public:
  // The service of this name, new or known.
  Result<ServiceVertex> Service(std::string_view name);
  // Counts up the edge's calls if there is one; a service's calls to itself are only noted.
  Status Call(ServiceVertex caller, ServiceVertex callee, std::uint64_t calls = 1);
  void Note(std::string note) { notes_.push_back(std::move(note)); }

  bool Knows(std::string_view name) const { return by_name_.contains(name); }
  bool empty() const { return names_.empty(); }
  ServiceGraph Build() &&;

 private:
  std::vector<std::string> names_;
  std::map<std::string, ServiceVertex, std::less<>> by_name_;
  std::map<std::pair<ServiceVertex, ServiceVertex>, std::uint64_t> calls_;
  std::uint64_t calls_to_itself_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace berth
