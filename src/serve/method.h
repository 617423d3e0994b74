// The calls that proto/berth.proto lists, with the path and the role that it gives each.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "berth.pb.h"

namespace berth {

struct Method {
  const google::protobuf::MethodDescriptor* descriptor = nullptr;
  std::string grpc_path;  // "/berth.v1.Berth/CreateService"
  std::string verb;       // Of its HTTP form, "POST",
  std::string path;       // and "/v1/services/{name}:scale".
  v1::Role needs = v1::ROLE_NONE;
  bool writes = false;  // Changes the zone's state, and so takes an idempotency key.

  const std::string& name() const { return descriptor->name(); }
  bool streams() const { return descriptor->server_streaming(); }
};

// As docs and messages call it: "read".
std::string InWords(v1::Role role);

// In the order of the file.
std::span<const Method> Methods();
// Null: there is none.
const Method* FindMethod(std::string_view grpc_path);

}  // namespace berth
