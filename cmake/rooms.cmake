# berth_room(<name> [ROOMS r...] [LIBS l...] [PRIVATE_LIBS l...]): a library berth_<name> from
# src/<name>/**.cc, and with BERTH_TESTS one test binary from src/<name>/**_test.cc.
#
# Every .cc and _test.cc is picked up by its name; a folder with a .def table is a plug-in folder,
# whose sources are those the table names (see plugins.cmake).
set_property(GLOBAL PROPERTY BERTH_ROOMS "")

function(berth_room name)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBS;PRIVATE_LIBS" ${ARGN})
  set(folder ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  if(name STREQUAL "cli")
    list(REMOVE_ITEM sources ${folder}/main.cc)
  endif()

  file(GLOB_RECURSE tables CONFIGURE_DEPENDS ${folder}/*.def)
  foreach(table IN LISTS tables)
    get_filename_component(table_folder ${table} DIRECTORY)
    berth_plugins(checked ${table_folder})
  endforeach()

  if(sources)
    set(kind PUBLIC)
    add_library(berth_${name} STATIC ${sources})
    target_link_libraries(berth_${name} PRIVATE $<BUILD_INTERFACE:berth_flags> ${ARG_PRIVATE_LIBS})
    berth_precompile(berth_${name} room)
    berth_unite(berth_${name})
  else()
    set(kind INTERFACE)
    add_library(berth_${name} INTERFACE)
  endif()
  target_include_directories(berth_${name} ${kind}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(berth_${name} ${kind} ${ARG_LIBS})
  foreach(room IN LISTS ARG_ROOMS)
    target_link_libraries(berth_${name} ${kind} berth_${room})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY BERTH_ROOMS ${name})

  if(BERTH_TESTS AND tests)
    berth_test(${name}_tests SOURCES ${tests} ROOMS ${name})
  endif()
endfunction()

# berth_test(<target> SOURCES s... ROOMS r... [LIBS l...] [LABELS label]): a GoogleTest binary, one
# ctest entry a test. One label: gtest_discover_tests flattens lists. `soak` keeps a test out of
# `make test`. A test finds files through tests/support/paths.h, which reads the environment set
# here: a path compiled in would make every checkout compile every test anew. Tests are listed when
# ctest runs, not when they link, so that building runs nothing. GTEST_SKIP() is ctest's "Skipped".
# A suite that starts threads of our own has a name ending in Threads, which puts it under the thread
# sanitizer in CI; with BERTH_ONLY_THREADS the files without such a suite are left out.
function(berth_test target)
  cmake_parse_arguments(ARG "" "LABELS" "SOURCES;ROOMS;LIBS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "berth_test(${target}): did not understand ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(BERTH_ONLY_THREADS)
    berth_keep_threads(ARG_SOURCES)
    if(NOT ARG_SOURCES)
      return()
    endif()
    set_property(GLOBAL APPEND PROPERTY BERTH_THREAD_TESTS ${target})
  endif()
  add_executable(${target} ${ARG_SOURCES})
  list(TRANSFORM ARG_ROOMS PREPEND berth_)
  target_link_libraries(${target} PRIVATE ${ARG_ROOMS} berth_flags GTest::gtest_main ${ARG_LIBS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  # Half the time of compiling them; what they test keeps its own.
  target_compile_options(${target} PRIVATE -O0)
  berth_precompile(${target} test)
  berth_unite(${target})
  set(properties TIMEOUT 600 ENVIRONMENT BERTH_SOURCE_DIR=${PROJECT_SOURCE_DIR})
  if(ARG_LABELS)
    list(APPEND properties LABELS ${ARG_LABELS})
  endif()
  gtest_discover_tests(${target} TEST_PREFIX ${target}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES ${properties})
endfunction()

# berth_keep_threads(<list>): of these tests the files that hold a suite of threads.
function(berth_keep_threads sources)
  set(kept)
  foreach(source IN LISTS ${sources})
    file(STRINGS ${source} threads REGEX "TEST[_FP]*\\([A-Za-z0-9_]*Threads," LIMIT_COUNT 1)
    if(threads)
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${sources} ${kept} PARENT_SCOPE)
endfunction()

# Most of the time goes into headers and what is made of their templates: two dozen files at once
# take half of it.
function(berth_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BERTH_UNITY} UNITY_BUILD_BATCH_SIZE 24)
endfunction()

# Two precompiled headers for all targets: the standard headers that nearly every file of ours reads,
# and for tests GoogleTest besides. Neither holds a header of ours, so editing one rebuilds no more.
set(BERTH_PRECOMPILED <algorithm> <array> <chrono> <cstdint> <functional> <map> <memory> <optional>
  <span> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
function(berth_precompile target kind)
  if(NOT BERTH_PCH)
    return()
  endif()
  if(NOT TARGET berth_pch_${kind})
    file(WRITE ${PROJECT_BINARY_DIR}/pch_${kind}.cc "")
    add_library(berth_pch_${kind} OBJECT ${PROJECT_BINARY_DIR}/pch_${kind}.cc)
    target_link_libraries(berth_pch_${kind} PRIVATE berth_flags fmt::fmt Threads::Threads)
    target_precompile_headers(berth_pch_${kind} PRIVATE ${BERTH_PRECOMPILED})
    if(kind STREQUAL "test")
      target_link_libraries(berth_pch_test PRIVATE GTest::gtest)
      target_compile_options(berth_pch_test PRIVATE -O0)
      target_precompile_headers(berth_pch_test PRIVATE <gtest/gtest.h>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM berth_pch_${kind})
endfunction()

# What spans rooms: the binary, tests/, bench/.
function(berth_finish)
  get_property(rooms GLOBAL PROPERTY BERTH_ROOMS)
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/cli/main.cc)
    add_executable(berth ${PROJECT_SOURCE_DIR}/src/cli/main.cc)
    target_link_libraries(berth PRIVATE berth_cli berth_flags)
  endif()
  if(BERTH_TESTS AND EXISTS ${PROJECT_SOURCE_DIR}/tests/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/tests tests)
  endif()
  if(BERTH_BENCH AND EXISTS ${PROJECT_SOURCE_DIR}/bench/CMakeLists.txt)
    add_subdirectory(${PROJECT_SOURCE_DIR}/bench bench)
  endif()
  if(BERTH_FUZZ AND NOT BERTH_TESTS)
    add_subdirectory(${PROJECT_SOURCE_DIR}/tests/fuzz fuzz)
  endif()
endfunction()
