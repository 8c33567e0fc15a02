#pragma once
/// \file
/// The C library of HDF5, which is loaded when a file needs it: Debian's brings 31 other libraries,
/// and no other command should wait for them.

#define H5_USE_110_API
#include <hdf5.h>

// Constants such as H5F_ACC_RDONLY call functions of a linked library through these macros.
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

/// The functions that are used.
// clang-format off
#define KERNMIX_HDF5_FUNCTIONS(X) \
  X(H5Aclose) X(H5Aexists) X(H5Aget_space) X(H5Aget_type) X(H5Aopen) X(H5Aread) X(H5Dclose) \
  X(H5Dget_create_plist) X(H5Dget_space) X(H5Dget_type) X(H5Dopen2) X(H5Dread) X(H5Dvlen_reclaim) \
  X(H5Eset_auto2) X(H5Ewalk2) X(H5Fclose) X(H5Fopen) X(H5Gclose) X(H5Gget_info) X(H5Gopen2) X(H5Iget_type) \
  X(H5Lget_info) X(H5Lget_name_by_idx) X(H5Oclose) X(H5Oget_info) X(H5Oopen) \
  X(H5PLset_loading_state) X(H5Pclose) X(H5Pcreate) X(H5Pget_chunk) X(H5Pget_external_count) X(H5Pget_filter2) \
  X(H5Pget_layout) X(H5Pget_nfilters) X(H5Pset_vlen_mem_manager) X(H5Sclose) X(H5Screate_simple) X(H5Sget_simple_extent_dims) \
  X(H5Sget_simple_extent_ndims) X(H5Sget_simple_extent_npoints) X(H5Sget_simple_extent_type) \
  X(H5Sselect_hyperslab) X(H5Tclose) X(H5Tget_class) X(H5Tget_member_name) X(H5Tget_nmembers) \
  X(H5Tget_sign) X(H5Tget_size) X(H5Tis_variable_str) X(H5Zfilter_avail) X(H5free_memory) \
  X(H5open)
// clang-format on

namespace kernmix {

struct Hdf5Library {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member
#define KERNMIX_HDF5_MEMBER(name) decltype(&::name) name = nullptr;
  KERNMIX_HDF5_FUNCTIONS(KERNMIX_HDF5_MEMBER)
#undef KERNMIX_HDF5_MEMBER
  hid_t native_double = -1;     ///< H5T_NATIVE_DOUBLE
  hid_t native_long_long = -1;  ///< H5T_NATIVE_LLONG
  hid_t reading = -1;           ///< H5P_DATASET_XFER
  hid_t no_space = -1;          ///< H5E_NOSPACE
  hid_t no_allocation = -1;     ///< H5E_CANTALLOC
};

/// The first call loads the library. \throws DataError without a place, if it is not installed
[[nodiscard]] const Hdf5Library& hdf5();

}  // namespace kernmix
