// An etcd cluster of our own on this machine: started with the object, gone with it. Members can be
// killed, stopped in their tracks and started again.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "support/temp_folder.h"

namespace berth::testing {

class EtcdServers {
 public:
  struct Options {
    std::size_t members = 1;
    // Without syncs etcd is as fast as the machine; a killed process loses nothing by it.
    bool sync = false;
    std::vector<std::string> flags;  // For every member besides those that it needs.
  };
  // In a folder of its own below this one. Returns when there is a leader.
  EtcdServers(const std::filesystem::path& below, Options options);
  ~EtcdServers();
  EtcdServers(const EtcdServers&) = delete;
  EtcdServers& operator=(const EtcdServers&) = delete;

  std::string endpoints() const;  // HOST:PORT,HOST:PORT...
  std::size_t leader() const;     // Waits until there is one.

  void Kill(std::size_t member);   // As kill -9 does it.
  void Start(std::size_t member);  // Again, with what it had.
  void Freeze(std::size_t member);
  void Thaw(std::size_t member);
  // Forgets etcd's history up to now.
  void Compact();

 private:
  struct Member {
    std::string name;
    int client_port = 0;
    int peer_port = 0;
    pid_t pid = 0;
  };
  std::vector<std::string> CommandLine(const Member& member) const;

  TempFolder folder_;
  Options options_;
  std::vector<Member> members_;
};

}  // namespace berth::testing
