// Asking a server from the command line.
#pragma once

#include <memory>
#include <string>

#include "berth.grpc.pb.h"
#include "berth/status.h"
#include "cli/command.h"

namespace berth {

inline constexpr Option kServerOption = {"--server", "ADDR", "the server's gRPC address", false,
                                         "127.0.0.1:7401"};
inline constexpr Option kTokenOption = {"--token", "FILE", "a file that holds your token"};
inline constexpr Option kCaOption = {
    "--ca", "FILE", "the certificate that the server's is signed with; without it, no TLS"};
inline constexpr Option kCertOption = {
    "--cert", "FILE", "your certificate and its key, for a server that wants to see one"};

class Client {
 public:
  // As --server, --token, --ca and --cert say. Nothing is sent yet.
  static Result<std::unique_ptr<Client>> Connect(const Invocation& invocation);

  // One call, which may take half a minute.
  template <typename Request, typename Reply>
  Result<Reply> Call(grpc::Status (v1::Berth::Stub::*call)(grpc::ClientContext*, const Request&,
                                                           Reply*),
                     const Request& request) {
    grpc::ClientContext context;
    Prepare(context);
    LimitTime(context);
    Reply reply;
    const grpc::Status status = (stub_.get()->*call)(&context, request, &reply);
    if (!status.ok()) return ToStatus(status);
    return reply;
  }

  v1::Berth::Stub& stub() { return *stub_; }
  // Adds the token.
  void Prepare(grpc::ClientContext& context) const;
  // With what to do when the server cannot be reached.
  Status ToStatus(const grpc::Status& status) const;

 private:
  Client() = default;
  static void LimitTime(grpc::ClientContext& context);

  std::string address_;
  std::string token_;
  std::unique_ptr<v1::Berth::Stub> stub_;
};

// Makes a call that is about the machine named on the command line.
int CallForMachine(const Invocation& invocation, Console& console,
                   grpc::Status (v1::Berth::Stub::*call)(grpc::ClientContext*,
                                                         const v1::MachineRequest&, v1::Outcome*));

// What came of a call that changes something: for people or as JSON, and the exit code.
int PrintOutcome(const Invocation& invocation, Console& console,
                 const Result<v1::Outcome>& outcome);

// A key of its own for each invocation, so that gRPC's own retries never act twice.
std::string NewIdempotencyKey();

}  // namespace berth
