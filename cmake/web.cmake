# berth_web(<target>): builds web/ and compiles its bundles into <target> as string literals.
#
# Everything happens in the build folder, so that build folders do not share node_modules and the
# source tree stays clean. `npm ci` runs when the lock file changes, type check and bundling when a
# source does.
find_program(BERTH_NODE NAMES node nodejs REQUIRED)
find_program(BERTH_NPM npm REQUIRED)

function(berth_web target)
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
    OUTPUT ${build}/page_assets.cc
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${build}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${source}/src ${build}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${scripts} ${build}
    COMMAND ${CMAKE_COMMAND} -E chdir ${build} ${BERTH_NODE} node_modules/typescript/bin/tsc
    COMMAND ${CMAKE_COMMAND} -E chdir ${build} ${BERTH_NODE} build.mjs page_assets.cc
    DEPENDS ${build}/installed.stamp ${scripts} ${sources}
    COMMENT "Building the web page"
    VERBATIM)

  target_sources(${target} PRIVATE ${build}/page_assets.cc)
  # The standard guarantees 64 KiB for a literal; g++ and clang have no limit.
  set_source_files_properties(${build}/page_assets.cc PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
endfunction()
