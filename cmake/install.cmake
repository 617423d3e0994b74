# What `make install` installs: the program, its completions, the public headers, and the library as
# a CMake package. The library is the rooms up to the engine; find_package(berth) gives berth::berth.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(library_rooms berth_base berth_fleet berth_etcd_proto berth_store berth_allocate berth_oversub berth_qos
  berth_traces berth_usage berth_rightsize berth_forecast berth_apptopo berth_perfmodel berth_scale
  berth_engine)
add_library(berth_library INTERFACE)
set_target_properties(berth_library PROPERTIES EXPORT_NAME berth)
target_compile_features(berth_library INTERFACE cxx_std_20)
target_link_libraries(berth_library INTERFACE berth_engine)

set(completions)
foreach(shell bash zsh)
  set(completion ${PROJECT_BINARY_DIR}/completion.${shell})
  add_custom_command(OUTPUT ${completion}
    COMMAND berth completion ${shell} > ${completion}
    DEPENDS berth VERBATIM)
  list(APPEND completions ${completion})
endforeach()
add_custom_target(berth_completions ALL DEPENDS ${completions})

install(TARGETS berth)
install(FILES ${PROJECT_BINARY_DIR}/completion.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME berth)
install(FILES ${PROJECT_BINARY_DIR}/completion.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _berth)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/berth DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS berth_library ${library_rooms} EXPORT berth)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/berth)
install(EXPORT berth NAMESPACE berth:: FILE berth-targets.cmake DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/berth-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/berth-config.cmake
  ${PROJECT_BINARY_DIR}/berth-config-version.cmake DESTINATION ${package})
