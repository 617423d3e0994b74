#include "usage/prometheus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "usage/http_post.h"

namespace berth {
namespace {

using PrometheusJson = nlohmann::json;
using SeriesByLabels = std::map<PrometheusLabels, std::vector<std::pair<Time, double>>>;

constexpr std::size_t kPointsMax = 100'000'000;

std::string TextAt(const PrometheusJson& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

// What a server says of a query that it does not answer.
Status ServerError(const PrometheusServer& server, const HttpAnswer& answer,
                   const PrometheusJson& body) {
  if (answer.code == 401 || answer.code == 403) {
    return {Code::kUnauthenticated, fmt::format("{} answers {}: give it a token with --token-file",
                                                server.url, answer.code)};
  }
  const std::string said = TextAt(body, "error");
  if (said.empty()) {
    return {Code::kUnavailable,
            fmt::format("{} answers {} and no JSON of Prometheus; is it the address of a server, "
                        "as http://localhost:9090?",
                        server.url, answer.code)};
  }
  return {Code::kInvalidArgument, fmt::format("{} answers: {}", server.url, said)};
}

Status Misunderstood(const PrometheusServer& server, std::string_view what) {
  return {Code::kUnavailable,
          fmt::format("{}: what it answers is not understood: {}", server.url, what)};
}

class MatrixReader {
 public:
  MatrixReader(const PrometheusServer& server, SeriesByLabels& found)
      : server_(server), found_(found) {}

  Status Read(const PrometheusJson& body) {
    const auto data = body.find("data");
    if (data == body.end() || TextAt(*data, "resultType") != "matrix") {
      return Misunderstood(server_, "it has no matrix");
    }
    const auto result = data->find("result");
    if (result == data->end() || !result->is_array()) {
      return Misunderstood(server_, "it has no result");
    }
    for (const PrometheusJson& series : *result) BERTH_RETURN_IF_ERROR(ReadSeries(series));
    return {};
  }

 private:
  Status ReadSeries(const PrometheusJson& series) {
    const auto metric = series.is_object() ? series.find("metric") : series.end();
    const auto values = series.is_object() ? series.find("values") : series.end();
    if (metric == series.end() || values == series.end() || !metric->is_object() ||
        !values->is_array()) {
      return Misunderstood(server_, "a series has no labels or no values");
    }
    PrometheusLabels labels;
    for (const auto& [name, value] : metric->items()) {
      if (value.is_string()) labels[name] = value.get<std::string>();
    }
    auto& points = found_[labels];
    for (const PrometheusJson& pair : *values) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number() || !pair[1].is_string()) {
        return Misunderstood(server_, "a value is no pair of time and text");
      }
      const double seconds = pair[0].get<double>();
      // A value that is no number, as 0/0 is, is a gap, too.
      const Parsed<double> value = ParseNumber(pair[1].get_ref<const std::string&>());
      if (value.error != std::errc() || !(std::abs(seconds) < 1e11)) continue;
      points.emplace_back(TimeFromMicros(std::llround(seconds * 1e6)), value.value);
    }
    return {};
  }

  const PrometheusServer& server_;
  SeriesByLabels& found_;
};

std::string Seconds(Time at) {
  return fmt::format("{:.3f}", static_cast<double>(ToMicros(at)) / 1e6);
}

Status ReadPage(const PrometheusServer& server, const std::string& query,
                const PrometheusRange& page, SeriesByLabels& found) {
  const double step_s = std::chrono::duration<double>(page.step).count();
  std::string url = server.url;
  while (url.ends_with('/')) url.pop_back();
  BERTH_TRY(const HttpAnswer answer,
            Post({.url = url + "/api/v1/query_range",
                  .form = fmt::format("{}&{}&{}&{}", FormField("query", query),
                                      FormField("start", Seconds(page.begin)),
                                      FormField("end", Seconds(page.end)),
                                      FormField("step", fmt::format("{:.3f}", step_s))),
                  .token = server.token,
                  .ca = server.ca,
                  .wait = server.wait}));
  const PrometheusJson body = PrometheusJson::parse(answer.body, nullptr, false);
  if (answer.code != 200 || TextAt(body, "status") != "success") {
    return ServerError(server, answer, body);
  }
  return MatrixReader(server, found).Read(body);
}

Status CheckRange(const PrometheusRange& range) {
  if (range.step < std::chrono::seconds(1) || range.end < range.begin) {
    return {Code::kInvalidArgument, "a range of time needs steps of a second or more, and an end"};
  }
  const std::int64_t points = (range.end - range.begin) / range.step + 1;
  if (points <= PrometheusRange::kPointsAPage * PrometheusRange::kPagesMax) return {};
  return {Code::kInvalidArgument,
          fmt::format("{} points of a series are more than {} pages; take longer steps",
                      FormatCount(points), PrometheusRange::kPagesMax)};
}

}  // namespace

Result<std::vector<PrometheusSeries>> QueryRange(const PrometheusServer& server,
                                                 const std::string& query,
                                                 const PrometheusRange& range) {
  BERTH_RETURN_IF_ERROR(CheckRange(range));
  SeriesByLabels found;
  PrometheusRange page = range;
  while (page.begin <= range.end) {
    page.end = std::min(range.end, page.begin + range.step * (PrometheusRange::kPointsAPage - 1));
    BERTH_RETURN_IF_ERROR(ReadPage(server, query, page, found));
    std::size_t points = 0;
    for (const auto& [labels, values] : found) points += values.size();
    if (points > kPointsMax) {
      return Status(Code::kResourceExhausted,
                    fmt::format("{}: there are more than {} points; take longer steps or a shorter "
                                "time",
                                server.url, FormatCount(kPointsMax)));
    }
    page.begin = page.end + range.step;
  }
  std::vector<PrometheusSeries> all;
  all.reserve(found.size());
  for (auto& [labels, points] : found) {
    if (!points.empty()) all.push_back({labels, std::move(points)});
  }
  return all;
}

}  // namespace berth
