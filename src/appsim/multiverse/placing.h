// Which new nodes are to hold so many instances of each service, and at what price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "appsim/multiverse/quirks.h"
#include "appsim/multiverse/set.h"

namespace berth::multiverse {

using Counts = std::vector<std::uint32_t>;  // By service.

// Nodes of one type, that become one group.
struct NodeBatch {
  std::size_t node_type = 0;
  std::uint32_t nodes = 0;
  Counts instances{};  // On all of them together.
};
using NewNodes = std::vector<NodeBatch>;

class NodePlacer {
 public:
  NodePlacer(const SimulationSet& set, const Quirks& quirks);

  // The cheapest of the types; empty if no type holds them.
  NewNodes Place(const Counts& wanted) const;
  double PriceAnHour(const NewNodes& nodes) const;

  // What one instance is placed with.
  const Amounts& Size(std::size_t service) const { return sizes_[service]; }
  // The share of a node that instances may fill.
  double fill() const { return fill_; }
  // Whether these uses leave room for another instance on so many nodes.
  bool HasRoom(const Amounts& use, std::size_t node_type, std::uint32_t nodes) const;
  // How many nodes such a use needs.
  std::uint32_t NodesFor(const Amounts& use, std::size_t node_type) const;

  // What one node of a type may hold, in the order tried; for tests.
  const std::vector<Counts>& Mixes(std::size_t node_type) const { return mixes_[node_type]; }

 private:
  struct FilledMix {
    Counts counts{};
    double fraction = 0;
  };
  std::vector<std::size_t> FittingServices(std::size_t node_type) const;
  std::vector<FilledMix> SharedMixes(std::size_t node_type) const;
  void AddMixes(std::size_t node_type);
  NewNodes PlaceOn(std::size_t node_type, const Counts& wanted) const;
  double Fraction(const Amounts& use, std::size_t node_type) const;
  bool IsFull(const Amounts& use, std::size_t node_type) const;

  const SimulationSet* set_;
  const Quirks* quirks_;
  double fill_;
  std::vector<Amounts> sizes_;
  std::vector<std::vector<Counts>> mixes_;  // By node type.
};

}  // namespace berth::multiverse
