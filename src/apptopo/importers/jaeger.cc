// nlohmann-json rather than base/document.h: exports of traces are large, and YAML reads neither
// pairs of \u escapes nor a million spans in a bearable time.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "apptopo/importers/builtin.h"
#include "base/text.h"

namespace berth {
namespace {

using TraceJson = nlohmann::json;

constexpr std::size_t kTraceValuesMax = 8'000'000;
// {data: [{spans: [{references: [{spanID}]}]}]}: what lies deeper is of no use here.
constexpr int kTraceDepthMax = 8;

// Keeps what an edge needs, and not what most of a file is.
class TraceFilter {
 public:
  bool operator()(int depth, TraceJson::parse_event_t event, const TraceJson& parsed) {
    if (event == TraceJson::parse_event_t::key) {
      const std::string& key = parsed.get_ref<const std::string&>();
      return key != "tags" && key != "logs" && key != "warnings" && key != "operationName";
    }
    if (event == TraceJson::parse_event_t::object_end ||
        event == TraceJson::parse_event_t::array_end) {
      return true;
    }
    return depth <= kTraceDepthMax && ++values_ <= kTraceValuesMax;
  }
  bool too_many() const { return values_ > kTraceValuesMax; }

 private:
  std::size_t values_ = 0;
};

Status BrokenJson(const TopologyText& source, std::size_t byte) {
  const std::string_view before = source.text.substr(0, std::min(byte, source.text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1);
  return {Code::kInvalidArgument,
          fmt::format("{}:{}:{}: is not JSON from here on; export the traces again",
                      source.file_name, line, std::max<std::size_t>(column, 1))};
}

class JaegerReader {
 public:
  explicit JaegerReader(const TopologyText& source) : source_(source) {}

  Result<ServiceGraph> Read() {
    BERTH_TRY(const TraceJson json, Parse());
    const auto data = json.is_object() ? json.find("data") : json.end();
    if (data == json.end() || !data->is_array()) {
      return Error("data", "is no list of traces; export what /api/traces answers");
    }
    for (std::size_t i = 0; i < data->size(); ++i) {
      BERTH_RETURN_IF_ERROR(ReadTrace((*data)[i], fmt::format("data[{}]", i)));
    }
    if (builder_.empty()) return Error("data", "holds no span; export at least one trace");
    if (orphans_ > 0) {
      builder_.Note(
          fmt::format("spans whose parent is not in the file: {}", FormatCount(orphans_)));
    }
    return std::move(builder_).Build();
  }

 private:
  struct Span {
    ServiceVertex service{};
    std::string parent{};
  };

  Result<TraceJson> Parse() const {
    TraceFilter filter;
    try {
      TraceJson json = TraceJson::parse(source_.text, std::ref(filter));
      if (filter.too_many()) {
        return Error("data", fmt::format("has over {} values; export fewer traces",
                                         FormatCount(kTraceValuesMax)));
      }
      return json;
    } catch (const TraceJson::parse_error& error) {
      return BrokenJson(source_, error.byte);
    } catch (const TraceJson::exception& /*error*/) {  // Numbers beyond what is finite.
      return Error("data", "holds a number that is too large; export the traces again");
    }
  }

  Status ReadTrace(const TraceJson& trace, const std::string& at) {
    BERTH_TRY(const auto services, ReadProcesses(trace, at));
    const auto spans = trace.find("spans");
    if (spans == trace.end() || !spans->is_array())
      return Error(at, "has no list 'spans'; export the traces again");
    std::map<std::string, Span> by_id;
    for (std::size_t i = 0; i < spans->size(); ++i) {
      const TraceJson& span = (*spans)[i];
      const std::string place = fmt::format("{}.spans[{}]", at, i);
      BERTH_TRY(std::string id, Text(span, "spanID", place));
      BERTH_TRY(const std::string process, Text(span, "processID", place));
      const auto service = services.find(process);
      if (service == services.end()) {
        return Error(place, fmt::format("is of process {}, which the trace does not have; "
                                        "export the traces again",
                                        Quoted(process)));
      }
      by_id.insert_or_assign(std::move(id),
                             Span{.service = service->second, .parent = ParentOf(span)});
    }
    return AddCalls(by_id, at);
  }

  Result<std::map<std::string, ServiceVertex>> ReadProcesses(const TraceJson& trace,
                                                             const std::string& at) {
    const auto processes = trace.is_object() ? trace.find("processes") : trace.end();
    if (processes == trace.end() || !processes->is_object()) {
      return Error(at, "has no map 'processes'; export traces, not spans");
    }
    std::map<std::string, ServiceVertex> services;
    for (const auto& [id, process] : processes->items()) {
      const std::string place = fmt::format("{}.processes.{}", at, id);
      BERTH_TRY(const std::string name, Text(process, "serviceName", place));
      const Result<ServiceVertex> service = builder_.Service(name);
      if (!service.ok()) return Error(place, service.status().message());
      services.emplace(id, service.value());
    }
    return services;
  }

  // What it is a child of, or else follows.
  static std::string ParentOf(const TraceJson& span) {
    const auto text_of = [](const TraceJson& of, const char* key) {
      const auto value = of.is_object() ? of.find(key) : of.end();
      return value != of.end() && value->is_string() ? value->get<std::string>() : std::string();
    };
    std::string parent = text_of(span, "parentSpanID");
    const auto references = span.find("references");
    if (references == span.end() || !references->is_array()) return parent;
    for (const TraceJson& reference : *references) {
      if (parent.empty() || text_of(reference, "refType") == "CHILD_OF") {
        parent = text_of(reference, "spanID");
      }
    }
    return parent;
  }

  Status AddCalls(const std::map<std::string, Span>& by_id, const std::string& at) {
    for (const auto& [id, span] : by_id) {
      if (span.parent.empty()) continue;
      const auto parent = by_id.find(span.parent);
      if (parent == by_id.end()) {
        ++orphans_;
      } else if (parent->second.service != span.service) {  // Else it is work of its own.
        const Status added = builder_.Call(parent->second.service, span.service);
        if (!added.ok()) return Error(at, added.message());
      }
    }
    return {};
  }

  Result<std::string> Text(const TraceJson& of, const char* key, const std::string& at) const {
    const auto value = of.is_object() ? of.find(key) : of.end();
    if (value == of.end() || !value->is_string()) {
      return Error(at, fmt::format("has no text '{}'; export the traces again", key));
    }
    return value->get<std::string>();
  }

  Status Error(std::string_view at, std::string_view what) const {
    return {Code::kInvalidArgument, fmt::format("{}: {}: {}", source_.file_name, at, what)};
  }

  const TopologyText& source_;
  ServiceGraphBuilder builder_;
  std::uint64_t orphans_ = 0;
};

}  // namespace

Result<ServiceGraph> ReadJaegerTraces(const TopologyText& source) {
  return JaegerReader(source).Read();
}

}  // namespace berth
