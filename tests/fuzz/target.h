// What a fuzz target defines: feed the bytes to the code under test and return 0. It fails by a
// check, a sanitizer's report or a crash.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
