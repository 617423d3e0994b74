// For tests: options with which a rule has something to say about random fleets, where its defaults
// leave it nothing.
#pragma once

#include <map>
#include <string_view>

namespace berth::testing {

// What stands between the braces; empty: its defaults do.
inline std::string_view OptionsThatBite(std::string_view rule) {
  static const std::map<std::string_view, std::string_view> kOptions = {
      {"below_cluster_limit", "cpu: 60%, memory: 0.7"},
      {"fits", "evicting: true"},
      {"instances_within", "most: 2"},
      {"latest_host_first", "latest: v2"},
      {"leaves_free", "cpu: 20%, gpu: 50%"},
      {"listed_clusters_first", "order: [c3, c1]"},
      {"newest_generation_first", "order: [sku1]"},
      {"preferred_labels", "labels: {disk: ssd, host_version: v1}"},
      {"worst_fit", "of: usage, weighting: sum"},
  };
  const auto at = kOptions.find(rule);
  return at == kOptions.end() ? std::string_view() : at->second;
}

}  // namespace berth::testing
