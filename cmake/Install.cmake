# Installs the library, its headers, the command line tool, and what find_package(kernmix) and
# pkg-config need. Every path in the installed files is relative to themselves: a prefix can move.
include(CMakePackageConfigHelpers)

set(KERNMIX_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/kernmix)
get_target_property(KERNMIX_LIBRARY_TYPE kernmix TYPE)

install(TARGETS kernmix EXPORT kernmixTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET kernmix_report)
  install(TARGETS kernmix_report EXPORT kernmixTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kernmix ${PROJECT_BINARY_DIR}/generated/kernmix
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
# Messages name recipes of this page.
install(FILES ${PROJECT_SOURCE_DIR}/docs/how-to/clean-a-table.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET kernmix_cli)
  if(KERNMIX_LIBRARY_TYPE STREQUAL "SHARED_LIBRARY")
    # In the build tree as well: CMake pads a shorter path there with ':', and an empty entry of a
    # RUNPATH is the current folder.
    file(RELATIVE_PATH from_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(kernmix_cli PROPERTIES
      INSTALL_RPATH "$ORIGIN/${from_bin_to_lib}" BUILD_RPATH "$ORIGIN/${from_bin_to_lib}")
  endif()
  install(TARGETS kernmix_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# CMake packages
install(EXPORT kernmixTargets NAMESPACE kernmix:: DESTINATION ${KERNMIX_CMAKE_DIR})
configure_package_config_file(cmake/kernmixConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/kernmixConfig.cmake INSTALL_DESTINATION ${KERNMIX_CMAKE_DIR})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/generated/kernmixConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/kernmixConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/kernmixConfigVersion.cmake
  DESTINATION ${KERNMIX_CMAKE_DIR})

# pkg-config: BLAS and LAPACK as CMake found them, written as -l flags
set(KERNMIX_BLAS_FLAGS "")
foreach(library IN LISTS LAPACK_LIBRARIES BLAS_LIBRARIES)
  if(IS_ABSOLUTE ${library})
    cmake_path(GET library STEM stem)
    string(REGEX REPLACE "^lib" "-l" library ${stem})
  endif()
  list(APPEND KERNMIX_BLAS_FLAGS ${library})
endforeach()
list(REMOVE_DUPLICATES KERNMIX_BLAS_FLAGS)
list(JOIN KERNMIX_BLAS_FLAGS " " KERNMIX_BLAS_FLAGS)

set(private_requires "fmt libhwy clp pugixml tbb")
if(ZLIB_FOUND)
  string(APPEND private_requires " zlib")
endif()
if(HDF5_FOUND AND NOT KERNMIX_HDF5_SONAME)
  string(APPEND private_requires " hdf5")
endif()
set(private_libraries "${KERNMIX_BLAS_FLAGS}")
if(KERNMIX_HDF5_SONAME AND CMAKE_DL_LIBS)  # dlopen loads it
  string(APPEND private_libraries " -l${CMAKE_DL_LIBS}")
endif()
if(KERNMIX_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  # A static library brings its needs along even without `pkg-config --static`.
  set(KERNMIX_PC_REQUIRES "Requires: ${private_requires}")
  set(KERNMIX_PC_LIBS "Libs: -L\${libdir} -lkernmix ${private_libraries}")
else()
  set(KERNMIX_PC_REQUIRES "Requires.private: ${private_requires}")
  set(KERNMIX_PC_LIBS "Libs: -L\${libdir} -lkernmix\nLibs.private: ${private_libraries}")
endif()
set(KERNMIX_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH KERNMIX_PC_TO_PREFIX /prefix/${KERNMIX_PC_DIR} /prefix)
string(REGEX REPLACE "/$" "" KERNMIX_PC_TO_PREFIX ${KERNMIX_PC_TO_PREFIX})
configure_file(cmake/kernmix.pc.in ${PROJECT_BINARY_DIR}/generated/kernmix.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/kernmix.pc DESTINATION ${KERNMIX_PC_DIR})
