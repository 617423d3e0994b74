// Files and folders that are whole and survive a power failure, or are not there.
#pragma once

#include <filesystem>

#include "berth/status.h"

namespace berth {

// The name beside `path` under which this process makes it.
std::filesystem::path TemporaryFor(const std::filesystem::path& path);

// A file, or a folder and so the names in it: on disk when this answers ok.
Status SyncPath(const std::filesystem::path& path);

// Gives what was made its final name, durably.
Status PutInPlace(const std::filesystem::path& made, const std::filesystem::path& path);

}  // namespace berth
