# find_package(berth) reads this. The archives link what they were built with.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(fmt)
find_dependency(yaml-cpp)
find_dependency(ZLIB)
find_dependency(RocksDB)
include(${CMAKE_CURRENT_LIST_DIR}/berth-targets.cmake)
