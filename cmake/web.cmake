# berth_web(<report> <dashboard>): builds web/ and compiles its two bundles into these targets as
# string literals.
#
# Everything happens in the build folder, so that build folders do not share node_modules and the
# source tree stays clean. `npm ci` runs when the lock file changes, type check and bundling when a
# source does.
find_program(BERTH_NODE NAMES node nodejs REQUIRED)
find_program(BERTH_NPM npm REQUIRED)

function(berth_web report dashboard)
  set(source ${PROJECT_SOURCE_DIR}/web)
  set(build ${PROJECT_BINARY_DIR}/web)
  set(manifests ${source}/package.json ${source}/package-lock.json ${source}/.npmrc)
  set(scripts ${source}/build.mjs ${source}/tsconfig.json)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${source}/src/*)

  add_custom_command(
    OUTPUT ${build}/installed.stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${build}
    COMMAND ${CMAKE_COMMAND} -E copy ${manifests} ${build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${build}
      ${BERTH_NPM} ci --ignore-scripts --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${build}/installed.stamp
    DEPENDS ${manifests}
    COMMENT "Installing the web page's npm packages"
    VERBATIM)

  add_custom_command(
    OUTPUT ${build}/page_assets.cc ${build}/dashboard_assets.cc
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${build}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/src ${build}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${scripts} ${build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${build} ${BERTH_NODE} node_modules/typescript/bin/tsc
    COMMAND ${CMAKE_COMMAND} -E chdir ${build} ${BERTH_NODE} build.mjs
      page_assets.cc dashboard_assets.cc
    DEPENDS ${build}/installed.stamp ${scripts} ${sources}
    COMMENT "Building the web page"
    VERBATIM)

  # One rule makes both files, and both targets would run it at the same time.
  add_custom_target(berth_web_files DEPENDS ${build}/page_assets.cc ${build}/dashboard_assets.cc)
  target_sources(${report} PRIVATE ${build}/page_assets.cc)
  target_sources(${dashboard} PRIVATE ${build}/dashboard_assets.cc)
  add_dependencies(${report} berth_web_files)
  add_dependencies(${dashboard} berth_web_files)
  # The standard guarantees 64 KiB for a literal; g++ and clang have no limit.
  set_source_files_properties(${build}/page_assets.cc ${build}/dashboard_assets.cc
    PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
