#include "report/topology_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "apptopo/layers.h"
#include "base/text.h"

namespace berth {
namespace {

using TopologyJson = nlohmann::ordered_json;

TableColumn RightColumn(std::string name) {
  return {.name = std::move(name), .right_aligned = true};
}

std::string NamesOf(const ServiceGraph& graph, std::span<const ServiceVertex> services) {
  std::string names;
  for (const ServiceVertex service : services) {
    if (!names.empty()) names += ", ";
    names += graph.name(service);
  }
  return names;
}

TopologyJson NamesInJson(const ServiceGraph& graph, std::span<const ServiceVertex> services) {
  TopologyJson names = TopologyJson::array();
  for (const ServiceVertex service : services) names.push_back(graph.name(service));
  return names;
}

std::string FanRatio(const ServiceStructure& service) {
  if (service.fan_in == 0) return "-";
  return fmt::format("{:.2f}",
                     static_cast<double>(service.fan_out) / static_cast<double>(service.fan_in));
}

Table WholeTable(const ServiceGraph& graph, const TopologyStructure& structure) {
  return {.title = "Topology",
          .note = fmt::format("{}", fmt::join(graph.notes(), "; ")),
          .columns = {{.name = "figure"}, RightColumn("value")},
          .rows = {{"services", FormatCount(graph.size())},
                   {"edges", FormatCount(graph.edges().size())},
                   {"entries", FormatCount(structure.entries)},
                   {"leaves", FormatCount(structure.leaves)},
                   {"services on the longest way", FormatCount(structure.levels)},
                   {"separate parts", FormatCount(structure.components)},
                   {"cycles", FormatCount(structure.cycles.size())}}};
}

Table ServiceTable(const ServiceGraph& graph, const TopologyStructure& structure) {
  Table table{.title = "Services",
              .note = structure.bottlenecks.empty()
                          ? "No bottleneck candidate."
                          : fmt::format("Bottleneck candidates: {}.",
                                        NamesOf(graph, structure.bottlenecks)),
              .columns = {{.name = "service"},
                          RightColumn("fan-in"),
                          RightColumn("fan-out"),
                          RightColumn("out/in"),
                          RightColumn("upstream"),
                          RightColumn("level"),
                          RightColumn("group"),
                          {.name = "bottleneck"}}};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const ServiceStructure& service = structure.services[i];
    table.rows.push_back({graph.names()[i], FormatCount(service.fan_in),
                          FormatCount(service.fan_out), FanRatio(service),
                          FormatCount(service.upstream), FormatCount(service.level),
                          FormatCount(service.group + 1), service.bottleneck ? "yes" : ""});
  }
  return table;
}

// Of the groups only those of several services: the others say nothing.
Table GroupTable(const ServiceGraph& graph, const TopologyStructure& structure) {
  Table table{.title = "Balanced groups",
              .note = "Get requests in a fixed proportion: can be scaled together.",
              .columns = {RightColumn("group"), RightColumn("size"), {.name = "services"}}};
  for (std::size_t g = 0; g < structure.groups.size(); ++g) {
    const auto& group = structure.groups[g];
    if (group.size() < 2) break;
    table.rows.push_back({FormatCount(g + 1), FormatCount(group.size()), NamesOf(graph, group)});
  }
  return table;
}

Table CycleTable(const ServiceGraph& graph, const TopologyStructure& structure) {
  Table table{.title = "Cycles",
              .note = "Each calls the others, perhaps through others.",
              .columns = {{.name = "services"}}};
  for (const auto& cycle : structure.cycles) table.rows.push_back({NamesOf(graph, cycle)});
  return table;
}

Plot DegreePlot(const TopologyStructure& structure) {
  std::map<std::size_t, std::size_t> counts;
  for (const ServiceStructure& service : structure.services) ++counts[service.degree()];
  Plot plot{.title = "Degrees",
            .note = "How many services call or are called by so many others.",
            .x_label = "degree",
            .x_kind = PlotXKind::kNumber,
            .y_label = "services"};
  PlotSeries bars{.name = "services", .kind = PlotSeriesKind::kBars};
  for (const auto& [degree, count] : counts) {
    bars.x.push_back(static_cast<double>(degree));
    bars.y.push_back(static_cast<double>(count));
  }
  plot.series.push_back(std::move(bars));
  return plot;
}

std::string InOneLine(const ServiceStructure& service) {
  return fmt::format("fan-in {}, fan-out {}, {} upstream, group {}", service.fan_in,
                     service.fan_out, service.upstream, service.group + 1);
}

Graph CallGraph(const ServiceGraph& graph, const TopologyStructure& structure) {
  Graph drawn{.title = "Who calls whom",
              .note =
                  "Callers are left of those they call. A thick border is a bottleneck "
                  "candidate.",
              .weight_label = "calls"};
  std::vector<std::size_t> node_of(graph.size(), 0);
  const ServiceLayers layers = LayersToDraw(graph, structure);
  drawn.nodes.reserve(graph.size());
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (const ServiceVertex service : layers[layer]) {
      node_of[ToIndex(service)] = drawn.nodes.size();
      const ServiceStructure& figures = structure.services[ToIndex(service)];
      drawn.nodes.push_back({.name = graph.name(service),
                             .note = InOneLine(figures),
                             .layer = layer,
                             .marked = figures.bottleneck});
    }
  }
  drawn.edges.reserve(graph.edges().size());
  for (const CallEdge& edge : graph.edges()) {
    drawn.edges.push_back({.from = node_of[ToIndex(edge.caller)],
                           .to = node_of[ToIndex(edge.callee)],
                           .weight = static_cast<double>(edge.calls)});
  }
  return drawn;
}

std::string VerdictInWords(const DegreeVerdict& verdict) {
  const std::string_view fits = verdict.fits ? "yes" : "no";
  return verdict.p ? fmt::format("{}, p = {:.3f}", fits, *verdict.p)
                   : fmt::format("{}, by shape", fits);
}

DegreeFormCounts CountsOf(std::span<const TestedTopology> tested,
                          DegreeVerdicts TestedTopology::*verdicts) {
  std::vector<DegreeVerdicts> counted;
  for (const TestedTopology& one : tested) {
    if (one.counts()) counted.push_back(one.*verdicts);
  }
  return CountForms(counted);
}

std::string CountInWords(std::size_t count, std::size_t of) {
  if (of == 0) return "-";
  return fmt::format("{} ({:.1f}%)", count,
                     100 * static_cast<double>(count) / static_cast<double>(of));
}

TopologyJson InJson(const DegreeVerdict& verdict) {
  return {{"fits", verdict.fits}, {"p", verdict.p ? TopologyJson(*verdict.p) : TopologyJson()}};
}

TopologyJson InJson(const DegreeFormCounts& counts) {
  const auto form = [](const DegreeFormCount& count) {
    return TopologyJson{{"total", count.total}, {"pure", count.pure}};
  };
  return {{"applications", counts.applications},
          {"skewed", form(counts.skewed)},
          {"near_uniform", form(counts.near_uniform)},
          {"central", form(counts.central)},
          {"other", counts.other}};
}

}  // namespace

std::vector<Table> TopologyTables(const ServiceGraph& graph, const TopologyStructure& structure) {
  std::vector<Table> tables = {WholeTable(graph, structure), ServiceTable(graph, structure)};
  Table groups = GroupTable(graph, structure);
  if (!groups.rows.empty()) tables.push_back(std::move(groups));
  if (!structure.cycles.empty()) tables.push_back(CycleTable(graph, structure));
  return tables;
}

Report TopologyReport(const ServiceGraph& graph, const TopologyStructure& structure,
                      std::string command) {
  Report report{.title = "Service topology", .command = std::move(command)};
  report.facts.push_back({"Services", FormatCount(graph.size()),
                          Plural(graph.edges().size(), "edge") + " between them"});
  report.facts.push_back({"Bottleneck candidates", FormatCount(structure.bottlenecks.size()),
                          NamesOf(graph, structure.bottlenecks)});
  report.tables = TopologyTables(graph, structure);
  report.plots.push_back(DegreePlot(structure));
  if (graph.size() <= kDrawnServicesMax && graph.edges().size() <= kDrawnEdgesMax) {
    report.graphs.push_back(CallGraph(graph, structure));
  } else {
    report.paragraphs.push_back(fmt::format("No drawing: it has at most {} services and {} edges.",
                                            FormatCount(kDrawnServicesMax),
                                            FormatCount(kDrawnEdgesMax)));
  }
  return report;
}

std::string ToJson(const ServiceGraph& graph, const TopologyStructure& structure) {
  TopologyJson services = TopologyJson::array();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const ServiceStructure& service = structure.services[i];
    services.push_back({{"service", graph.names()[i]},
                        {"fan_in", service.fan_in},
                        {"fan_out", service.fan_out},
                        {"upstream", service.upstream},
                        {"level", service.level},
                        {"group", service.group + 1},
                        {"bottleneck", service.bottleneck}});
  }
  TopologyJson calls = TopologyJson::array();
  for (const CallEdge& edge : graph.edges()) {
    calls.push_back({{"caller", graph.name(edge.caller)},
                     {"callee", graph.name(edge.callee)},
                     {"calls", edge.calls}});
  }
  const auto sets = [&](const std::vector<std::vector<ServiceVertex>>& of) {
    TopologyJson all = TopologyJson::array();
    for (const auto& set : of) all.push_back(NamesInJson(graph, set));
    return all;
  };
  const TopologyJson all = {{"services", std::move(services)},
                            {"calls", std::move(calls)},
                            {"bottlenecks", NamesInJson(graph, structure.bottlenecks)},
                            {"groups", sets(structure.groups)},
                            {"cycles", sets(structure.cycles)},
                            {"entries", structure.entries},
                            {"leaves", structure.leaves},
                            {"levels", structure.levels},
                            {"components", structure.components},
                            {"notes", graph.notes()}};
  return all.dump(2) + "\n";
}

Table DegreeVerdictTable(std::span<const TestedTopology> tested) {
  Table table{
      .title = "Degree distributions",
      .note = fmt::format("A form is refused when p is at most {}. Below {} services, and where a "
                          "test does not apply, the shape decides.",
                          kDegreeTestLevel, kDegreeTestServicesMin),
      .columns = {{.name = "application"},
                  RightColumn("services"),
                  {.name = "skewed, T = 1"},
                  {.name = "skewed, T = 2"},
                  {.name = "near-uniform"},
                  {.name = "central"}}};
  for (const TestedTopology& one : tested) {
    if (!one.counts()) {
      table.rows.push_back(
          {one.file, FormatCount(one.services), "left out: too few services", "", "", ""});
      continue;
    }
    table.rows.push_back({one.file, FormatCount(one.services), VerdictInWords(one.at_one.skewed),
                          VerdictInWords(one.at_two.skewed),
                          VerdictInWords(one.at_one.near_uniform),
                          VerdictInWords(one.at_one.central)});
  }
  return table;
}

Table DegreeFormTable(std::span<const TestedTopology> tested) {
  const DegreeFormCounts one = CountsOf(tested, &TestedTopology::at_one);
  const DegreeFormCounts two = CountsOf(tested, &TestedTopology::at_two);
  Table table{.title = fmt::format("Forms of {}", Plural(one.applications, "application")),
              .note = "Pure: fits no other form. T is the threshold of the skewed shape.",
              .columns = {{.name = "form"},
                          RightColumn("total, T = 1"),
                          RightColumn("pure, T = 1"),
                          RightColumn("total, T = 2"),
                          RightColumn("pure, T = 2")}};
  const auto row = [&](std::string name, DegreeFormCount DegreeFormCounts::*form) {
    table.rows.push_back({std::move(name), CountInWords((one.*form).total, one.applications),
                          CountInWords((one.*form).pure, one.applications),
                          CountInWords((two.*form).total, two.applications),
                          CountInWords((two.*form).pure, two.applications)});
  };
  row("skewed", &DegreeFormCounts::skewed);
  row("near-uniform", &DegreeFormCounts::near_uniform);
  row("central", &DegreeFormCounts::central);
  table.rows.push_back({"other", "-", CountInWords(one.other, one.applications), "-",
                        CountInWords(two.other, two.applications)});
  return table;
}

std::string ToJson(std::span<const TestedTopology> tested) {
  TopologyJson applications = TopologyJson::array();
  for (const TestedTopology& one : tested) {
    TopologyJson row = {{"file", one.file}, {"services", one.services}, {"counts", one.counts()}};
    if (one.counts()) {
      row["skewed"] = InJson(one.at_one.skewed);
      row["skewed_threshold_2"] = InJson(one.at_two.skewed);
      row["near_uniform"] = InJson(one.at_one.near_uniform);
      row["central"] = InJson(one.at_one.central);
    }
    applications.push_back(std::move(row));
  }
  const TopologyJson all = {{"applications", std::move(applications)},
                            {"threshold_1", InJson(CountsOf(tested, &TestedTopology::at_one))},
                            {"threshold_2", InJson(CountsOf(tested, &TestedTopology::at_two))}};
  return all.dump(2) + "\n";
}

}  // namespace berth
