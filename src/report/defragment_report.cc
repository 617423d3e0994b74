#include "report/defragment_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace berth {
namespace {

// In the order written: the most telling fields first.
using Json = nlohmann::ordered_json;

constexpr std::size_t kFragmentsShownMax = 20;

std::string Cores(std::int64_t millicores) { return FormatAmount(Resource::kCpu, millicores); }

std::string GainInWords(const DefragmentPlan& plan, std::uint64_t moves_max) {
  std::string text =
      plan.moves.empty()
          ? fmt::format("Nothing helps: within {}, no machine in use can be emptied onto others.",
                        Plural(moves_max, "move"))
          : fmt::format("{} {} {} and {} {}.", Plural(plan.moves.size(), "move"),
                        plan.moves.size() == 1 ? "empties" : "empty",
                        Plural(plan.emptied.size(), "machine"),
                        plan.moves.size() == 1 ? "frees" : "free",
                        fmt::format("{} cores", Cores(plan.FreedMillicores())));
  if (plan.before.waiting > 0) {
    text += fmt::format(" Freed room goes first to what waits: {}.",
                        Plural(plan.before.waiting, "instance"));
  }
  if (plan.blind) text += fmt::format(" {}", kPlannedBlindly);
  return text;
}

Table GainTable(const DefragmentPlan& plan, std::uint64_t moves_max) {
  const auto right = [](std::string name) {
    return TableColumn{.name = std::move(name), .right_aligned = true};
  };
  Table table{.title = "What defragmentation would gain",
              .note = GainInWords(plan, moves_max),
              .columns = {{.name = "figure"}, right("before"), right("after")}};
  const PackingState& before = plan.before;
  const PackingState& after = plan.after;
  table.rows = {
      {"packing density", FormatPercent(before.Density()), FormatPercent(after.Density())},
      {"machines in use", FormatCount(before.machines_in_use), FormatCount(after.machines_in_use)},
      {"cores of machines in use", Cores(before.in_use_millicores),
       Cores(after.in_use_millicores)}};
  for (const RoomChange& room : plan.rooms) {
    table.rows.push_back({fmt::format("room for more of type {}", room.type.str()),
                          FormatCount(room.fit_before), FormatCount(room.fit_after)});
  }
  return table;
}

std::string WhyThere(const PlannedMove& move) {
  if (move.could_take == 1) return "the only one that could take it";
  if (move.choice == 1) return fmt::format("the best of {} that could take it", move.could_take);
  return fmt::format("choice {} of {} that could take it; better ones leave others no room",
                     move.choice, move.could_take);
}

Table MoveTable(const DefragmentPlan& plan) {
  Table table{.title = "Moves, in order",
              .note = "A plan may be stopped anywhere: no move makes density worse.",
              .columns = {{.name = "move"},
                          {.name = "instance"},
                          {.name = "type"},
                          {.name = "from"},
                          {.name = "to"},
                          {.name = "why there"}}};
  for (const PlannedMove& move : plan.moves) {
    table.rows.push_back({static_cast<double>(table.rows.size() + 1), ToString(move.instance),
                          move.type.str(), move.from.str(), move.to.str(), WhyThere(move)});
  }
  return table;
}

std::string WhyFragmented(const Fragment& fragment) {
  std::string text = fragment.little_used ? "less than half used" : "";
  if (fragment.stranded) {
    text += fmt::format("{}{} cores stranded, short of {}", text.empty() ? "" : "; ",
                        Cores(fragment.stranded_millicores), ResourceName(fragment.short_of));
  }
  return text;
}

Table FragmentTable(const DefragmentPlan& plan) {
  Table table{.title = "Fragmented machines",
              .columns = {{.name = "machine"},
                          {.name = "instances"},
                          {.name = "cores", .right_aligned = true},
                          {.name = "free", .right_aligned = true},
                          {.name = "why"},
                          {.name = "plan"}}};
  for (const Fragment& fragment : plan.fragments) {
    if (table.rows.size() == kFragmentsShownMax) {
      table.note = fmt::format("{} of {} shown; --json lists all", kFragmentsShownMax,
                               FormatCount(plan.fragments.size()));
      break;
    }
    const bool emptied = std::ranges::find(plan.emptied, fragment.machine) != plan.emptied.end();
    table.rows.push_back({fragment.machine.str(), static_cast<double>(fragment.instances),
                          Cores(fragment.millicores), Cores(fragment.free_millicores),
                          WhyFragmented(fragment), emptied ? "emptied" : ""});
  }
  if (table.rows.empty()) table.note = "None.";
  return table;
}

Json PackingJson(const PackingState& state) {
  return {{"density", state.Density()},
          {"utilisation", state.Utilisation()},
          {"machines_in_use", state.machines_in_use},
          {"machines", state.machines},
          {"allocated_millicores", state.allocated_millicores()},
          {"in_use_millicores", state.in_use_millicores},
          {"all_millicores", state.all_millicores()},
          {"instances", state.instances},
          {"waiting", state.waiting}};
}

Json FragmentJson(const Fragment& fragment) {
  return {{"machine", fragment.machine.str()},
          {"instances", fragment.instances},
          {"millicores", fragment.millicores},
          {"allocated_millicores", fragment.allocated_millicores},
          {"free_millicores", fragment.free_millicores},
          {"stranded_millicores", fragment.stranded_millicores},
          {"short_of", ResourceName(fragment.short_of)},
          {"little_used", fragment.little_used},
          {"stranded", fragment.stranded}};
}

}  // namespace

std::vector<Table> DefragmentTables(const DefragmentPlan& plan, std::uint64_t moves_max) {
  std::vector<Table> tables = {GainTable(plan, moves_max)};
  if (!plan.moves.empty()) tables.push_back(MoveTable(plan));
  tables.push_back(FragmentTable(plan));
  return tables;
}

std::string ToJson(const DefragmentPlan& plan) {
  Json json = {{"before", PackingJson(plan.before)},
               {"after", PackingJson(plan.after)},
               {"emptied", Json::array()},
               {"moves", Json::array()},
               {"room", Json::array()},
               {"fragments", Json::array()}};
  for (const MachineId machine : plan.emptied) json["emptied"].push_back(machine.str());
  for (const PlannedMove& move : plan.moves) {
    json["moves"].push_back({{"instance", ToString(move.instance)},
                             {"type", move.type.str()},
                             {"from", move.from.str()},
                             {"to", move.to.str()},
                             {"could_take", move.could_take},
                             {"choice", move.choice}});
  }
  for (const RoomChange& room : plan.rooms) {
    json["room"].push_back({{"type", room.type.str()},
                            {"running", room.running},
                            {"before", room.fit_before},
                            {"after", room.fit_after}});
  }
  if (plan.blind) json["note"] = kPlannedBlindly;
  for (const Fragment& fragment : plan.fragments)
    json["fragments"].push_back(FragmentJson(fragment));
  // Names are ASCII by rule; whatever else text holds must not make printing fail.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace berth
