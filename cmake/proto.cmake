# berth_proto(<target> <file.proto> [GRPC]): a library from proto/<file.proto>: its messages, and
# with GRPC its stubs. Generated code is not held to our warnings. The target berth_generated writes
# all of it and compiles nothing, for clang-tidy.
add_custom_target(berth_generated)

function(berth_proto target file)
  cmake_parse_arguments(ARG "GRPC" "" "" ${ARGN})
  get_filename_component(name ${file} NAME_WE)
  set(out ${PROJECT_BINARY_DIR}/proto)
  set(from ${PROJECT_SOURCE_DIR}/proto/${file})
  file(MAKE_DIRECTORY ${out})
  set(generated ${out}/${name}.pb.cc ${out}/${name}.pb.h)
  set(arguments --proto_path=${PROJECT_SOURCE_DIR}/proto --cpp_out=${out})
  if(ARG_GRPC)
    list(APPEND generated ${out}/${name}.grpc.pb.cc ${out}/${name}.grpc.pb.h)
    list(APPEND arguments --grpc_out=${out} --plugin=protoc-gen-grpc=${BERTH_GRPC_PLUGIN})
  endif()
  add_custom_command(OUTPUT ${generated}
    COMMAND protobuf::protoc ${arguments} ${from}
    DEPENDS ${from} VERBATIM)
  add_custom_target(${target}_generated DEPENDS ${generated})
  add_dependencies(berth_generated ${target}_generated)
  add_library(${target} STATIC ${generated})
  if(BERTH_TESTS)  # What protoc wrote is not ours, and takes a quarter of the time this way.
    target_compile_options(${target} PRIVATE -O0)
  endif()
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${out}>)
  target_link_libraries(${target} PUBLIC protobuf::libprotobuf)
  if(ARG_GRPC)
    target_link_libraries(${target} PUBLIC gRPC::grpc++)
  endif()
endfunction()
