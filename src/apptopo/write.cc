#include "apptopo/write.h"

#include <fmt/format.h>

namespace berth {
namespace {

// A quoted field in CSV, where that is needed.
std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted.push_back(c);
    quoted.push_back(c);
  }
  return quoted + "\"";
}

}  // namespace

std::string WriteEdgeList(const ServiceGraph& graph) {
  std::string text = "caller,callee,calls\n";
  std::vector<bool> named(graph.size(), false);
  for (const CallEdge& edge : graph.edges()) {
    text += fmt::format("{},{},{}\n", CsvField(graph.name(edge.caller)),
                        CsvField(graph.name(edge.callee)), edge.calls);
    named[ToIndex(edge.caller)] = named[ToIndex(edge.callee)] = true;
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!named[i]) text += fmt::format("{},,1\n", CsvField(graph.names()[i]));
  }
  return text;
}

std::string WriteComposeFile(const ServiceGraph& graph) {
  const auto callees = graph.Callees();
  std::string text = "services:\n";
  for (std::size_t i = 0; i < graph.size(); ++i) {
    text += fmt::format("  {}:\n    image: {}\n", graph.names()[i], graph.names()[i]);
    if (callees[i].empty()) continue;
    text += "    depends_on:\n";
    for (const ServiceVertex callee : callees[i]) {
      text += fmt::format("      - {}\n", graph.name(callee));
    }
  }
  return text;
}

}  // namespace berth
