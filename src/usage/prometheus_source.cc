#include "usage/prometheus_source.h"

#include <fmt/format.h>

#include "base/fields.h"
#include "base/text.h"
#include "usage/samples.h"

namespace berth {
namespace {

Result<PolledSeries> ReadPolledSeries(const Node& node) {
  Fields fields(node);
  PolledSeries polled;
  polled.metric = fields.Text("metric");
  polled.query = fields.Text("query");
  polled.service = fields.Text("service", polled.service);
  polled.instance = fields.Text("instance", polled.instance);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const Status metric = Samples::CheckMetric(polled.metric);
  if (!metric.ok()) return node.Error(metric.message());
  if (polled.query.empty() || polled.service.empty()) {
    return node.Error("needs a query, and a label that names the service");
  }
  return polled;
}

}  // namespace

Status CheckPrometheusUrl(std::string_view name, const std::string& url) {
  if (url.starts_with("http://") || url.starts_with("https://")) return {};
  return {Code::kInvalidArgument,
          fmt::format("{} is an address as http://localhost:9090, not {}", name, Quoted(url))};
}

Result<std::string> ReadBearerToken(const std::string& path) {
  BERTH_TRY(const std::string text, ReadText(path));
  const std::size_t end = text.find_first_of("\r\n");
  std::string token(Trim(std::string_view(text).substr(0, end)));
  if (!token.empty()) return token;
  return Status(Code::kInvalidArgument, fmt::format("{}: has no token in its first line", path));
}

Result<PrometheusSource> ReadPrometheusSource(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  const Node root = document.root();
  Fields fields(root);
  PrometheusSource source;
  source.server.url = fields.Text("url");
  source.server.ca = fields.Text("ca", "");
  source.every = fields.Length("every", source.every);
  const std::string token_file = fields.Text("token_file", "");
  for (const Node& node : fields.Items("series")) {
    Result<PolledSeries> polled = ReadPolledSeries(node);
    fields.Check(polled.status());
    if (polled.ok()) source.series.push_back(std::move(polled).value());
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  const Status url = CheckPrometheusUrl("url", source.server.url);
  if (!url.ok()) return root.Error(url.message());
  if (source.every < PrometheusSource::kEveryMin || source.every > PrometheusSource::kEveryMax) {
    return root.Error(
        fmt::format("every is {} to {}, not {}", FormatDuration(PrometheusSource::kEveryMin),
                    FormatDuration(PrometheusSource::kEveryMax), FormatDuration(source.every)));
  }
  if (source.series.empty() || source.series.size() > PrometheusSource::kSeriesMax) {
    return root.Error(fmt::format("series are 1 to {}, not {}", PrometheusSource::kSeriesMax,
                                  source.series.size()));
  }
  if (!token_file.empty()) {
    BERTH_TRY(source.server.token, ReadBearerToken(token_file));
  }
  return source;
}

std::optional<std::string> SubjectOf(const PolledSeries& polled, const PrometheusLabels& labels) {
  const auto service = labels.find(polled.service);
  if (service == labels.end() || service->second.empty()) return std::nullopt;
  if (polled.instance.empty()) return service->second;
  const auto instance = labels.find(polled.instance);
  if (instance == labels.end() || instance->second.empty()) return std::nullopt;
  if (instance->second.find('/') != std::string::npos) return instance->second;
  return fmt::format("{}/{}", service->second, instance->second);
}

}  // namespace berth
