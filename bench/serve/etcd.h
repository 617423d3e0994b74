// The etcd store beside etcd itself.
#pragma once

#include <filesystem>

namespace berth {

void BenchEtcd(const std::filesystem::path& folder, bool full);

}  // namespace berth
