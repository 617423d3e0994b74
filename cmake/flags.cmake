# Warnings and flags for our own code only; third-party includes are SYSTEM and generated code opts out.
add_library(berth_flags INTERFACE)
target_compile_options(berth_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wformat=2 -Wimplicit-fallthrough
  -Wundef $<$<CXX_COMPILER_ID:Clang>:-Wnull-dereference> -Wextra-semi -Wswitch-enum
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond;-Wduplicated-branches;-Wlogical-op;-Wsuggest-override>
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety;-Wmissing-prototypes>
  # Of GNU one warning is left out and one is only for others: both find what is not there in the
  # standard library.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # Some libraries ask for it; all of ours, or none could share a precompiled header.
  -pthread
  # Fusing a*b+c changes last bits between builds; reports must not.
  -ffp-contract=off)
# Only where we look at what the compiler says: a newer one must not stop anybody's build.
if(BERTH_WERROR)
  target_compile_options(berth_flags INTERFACE -Werror)
endif()

# Messages name files from the top of the tree, wherever it is checked out and whether the compiler
# was given an absolute path or, by ccache, a relative one.
file(RELATIVE_PATH to_source ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
target_compile_options(berth_flags INTERFACE
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/= -fmacro-prefix-map=${to_source}=)

# fmt switches optimisation on for a few of its functions. In a precompiled header GCC then takes it
# for on in the whole file, and Eigen calls what only optimisation makes work.
if(BERTH_PCH)
  target_compile_options(berth_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-DFMT_GCC_PRAGMA\(x\)=>)
endif()
