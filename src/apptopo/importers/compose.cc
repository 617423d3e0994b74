#include <fmt/format.h>

#include <set>

#include "apptopo/importers/builtin.h"
#include "base/document.h"
#include "base/text.h"

namespace berth {
namespace {

// The services of a Compose file: under `services`, or, in files of the first version, which have
// neither that nor a version, at the top level.
Result<std::vector<KeyedNode>> ComposeServices(const Node& root) {
  if (const std::optional<Node> services = root.Find("services")) return services->Entries();
  if (root.Find("version")) return root.Error("has no services; write them under 'services'");
  return root.Entries();
}

class ComposeReader {
 public:
  Status Add(const std::vector<KeyedNode>& services) {
    for (const auto& [name, node] : services) {
      const Result<ServiceVertex> added = builder_.Service(name);
      if (!added.ok()) return node.KeyError(added.status().message());
    }
    for (const auto& [name, node] : services) BERTH_RETURN_IF_ERROR(AddCalls(name, node));
    return {};
  }

  ServiceGraph Build() && { return std::move(builder_).Build(); }

 private:
  Status AddCalls(std::string_view name, const Node& service) {
    if (service.kind() == Node::Kind::kNull) return {};
    BERTH_TRY(const std::vector<KeyedNode> fields, service.Entries());
    BERTH_TRY(caller_, builder_.Service(name));
    seen_.clear();
    for (const auto& [key, value] : fields) {
      if (key == "depends_on") BERTH_RETURN_IF_ERROR(AddDependencies(value));
      if (key == "links") BERTH_RETURN_IF_ERROR(AddLinks(value, Where::kInside));
      if (key == "external_links") BERTH_RETURN_IF_ERROR(AddLinks(value, Where::kOutside));
    }
    return {};
  }

  // A list of names, or a map of names to the conditions to wait for.
  Status AddDependencies(const Node& value) {
    if (value.kind() == Node::Kind::kNull) return {};
    if (value.kind() == Node::Kind::kMap) {
      BERTH_TRY(const std::vector<KeyedNode> entries, value.Entries());
      for (const auto& [name, condition] : entries) {
        BERTH_RETURN_IF_ERROR(AddCallee(name, condition, Where::kInside));
      }
      return {};
    }
    return AddLinks(value, Where::kInside);
  }

  enum class Where { kInside, kOutside };

  // "db" or "db:database", which is db under another name.
  Status AddLinks(const Node& value, Where where) {
    if (value.kind() == Node::Kind::kNull) return {};
    BERTH_TRY(const std::vector<Node> items, value.Items());
    for (const Node& item : items) {
      BERTH_TRY(const std::string_view link, item.Text());
      BERTH_RETURN_IF_ERROR(AddCallee(Split(link, ':').front(), item, where));
    }
    return {};
  }

  Status AddCallee(std::string_view name, const Node& at, Where where) {
    if (where == Where::kInside && !builder_.Knows(name)) {
      return at.Error(
          fmt::format("{} is no service of this file; name one of them, or write it "
                      "under external_links",
                      Quoted(name)));
    }
    const Result<ServiceVertex> callee = builder_.Service(name);
    if (!callee.ok()) return at.Error(callee.status().message());
    // Waiting for a service and linking to it is one edge, not two calls.
    if (!seen_.insert(callee.value()).second) return {};
    const Status added = builder_.Call(caller_, callee.value());
    return added.ok() ? added : at.Error(added.message());
  }

  ServiceGraphBuilder builder_;
  ServiceVertex caller_{};
  std::set<ServiceVertex> seen_;
};

}  // namespace

Result<ServiceGraph> ReadComposeFile(const TopologyText& source) {
  BERTH_TRY(const Document document, ParseDocument(source.text, source.file_name));
  BERTH_TRY(const std::vector<KeyedNode> services, ComposeServices(document.root()));
  if (services.empty()) return document.root().Error("has no services; write at least one");
  ComposeReader reader;
  BERTH_RETURN_IF_ERROR(reader.Add(services));
  return std::move(reader).Build();
}

}  // namespace berth
