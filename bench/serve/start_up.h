#pragma once

#include <filesystem>

namespace berth {

// From the process's start to the first placement, with a large zone in the store.
void BenchStartUp(const std::filesystem::path& folder);

}  // namespace berth
