#include "serve/method.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <vector>

#include "berth/check.h"

namespace berth {
namespace {

std::vector<Method> ReadMethods() {
  const auto* service = v1::Service::descriptor()->file()->FindServiceByName("Berth");
  BERTH_CHECK(service != nullptr);
  std::vector<Method> methods;
  for (int i = 0; i < service->method_count(); ++i) {
    Method method;
    method.descriptor = service->method(i);
    method.grpc_path = "/" + service->full_name() + "/" + method.name();
    const v1::Http& http = method.descriptor->options().GetExtension(v1::http);
    method.needs = method.descriptor->options().GetExtension(v1::needs);
    method.writes = method.descriptor->input_type()->FindFieldByName("idempotency_key") != nullptr;
    for (const auto& [verb, path] :
         {std::pair("GET", &http.get()), std::pair("POST", &http.post()),
          std::pair("PUT", &http.put()), std::pair("DELETE", &http.delete_())}) {
      if (path->empty()) continue;
      method.verb = verb;
      method.path = *path;
    }
    BERTH_CHECK(!method.path.empty());
    methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace

std::span<const Method> Methods() {
  static const std::vector<Method> kMethods = ReadMethods();
  return kMethods;
}

const Method* FindMethod(std::string_view grpc_path) {
  static const auto kByPath = [] {
    std::unordered_map<std::string_view, const Method*> by_path;
    for (const Method& method : Methods()) by_path.emplace(method.grpc_path, &method);
    return by_path;
  }();
  const auto at = kByPath.find(grpc_path);
  return at == kByPath.end() ? nullptr : at->second;
}

std::string InWords(v1::Role role) {
  if (role == v1::ROLE_NONE) return "none";
  std::string name = v1::Role_Name(role);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

}  // namespace berth
