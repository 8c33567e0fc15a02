#include "data/hdf5/library.hpp"

#ifdef KERNMIX_HDF5_SONAME
#include <dlfcn.h>
#include <fmt/format.h>
#endif

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

#ifdef KERNMIX_HDF5_SONAME

[[noreturn]] void refuse() {
  const char* const why = dlerror();
  throw DataError(
      fmt::format("is an HDF5 file, and reading it needs {}, which cannot be loaded ({}); install "
                  "this library, or read the file in Python, with h5py or anndata",
                  KERNMIX_HDF5_SONAME, why == nullptr ? "unknown error" : why));
}

void* symbol(void* library, const char* name) {
  void* const address = dlsym(library, name);
  if (address == nullptr) refuse();
  return address;
}

Hdf5Library load() {
  void* const library = dlopen(KERNMIX_HDF5_SONAME, RTLD_LAZY | RTLD_LOCAL);  // is never closed
  if (library == nullptr) refuse();
  Hdf5Library loaded;
#define KERNMIX_HDF5_TEXT(name) #name  // of the expanded name: macros of HDF5 rename functions
#define KERNMIX_HDF5_LOAD(name) \
  loaded.name = reinterpret_cast<decltype(loaded.name)>(symbol(library, KERNMIX_HDF5_TEXT(name)));
  KERNMIX_HDF5_FUNCTIONS(KERNMIX_HDF5_LOAD)
  loaded.H5open();  // fills the variables
  const auto id = [&](const char* name) {
    return *static_cast<const hid_t*>(symbol(library, name));
  };
  loaded.native_double = id("H5T_NATIVE_DOUBLE_g");
  loaded.native_long_long = id("H5T_NATIVE_LLONG_g");
  loaded.reading = id("H5P_CLS_DATASET_XFER_ID_g");
  loaded.no_space = id("H5E_NOSPACE_g");
  loaded.no_allocation = id("H5E_CANTALLOC_g");
  return loaded;
}

#else

Hdf5Library load() {
  Hdf5Library linked;
#define KERNMIX_HDF5_LOAD(name) linked.name = &::name;
  KERNMIX_HDF5_FUNCTIONS(KERNMIX_HDF5_LOAD)
  linked.H5open();  // fills the variables
  linked.native_double = H5T_NATIVE_DOUBLE;
  linked.native_long_long = H5T_NATIVE_LLONG;
  linked.reading = H5P_DATASET_XFER;
  linked.no_space = H5E_NOSPACE;
  linked.no_allocation = H5E_CANTALLOC;
  return linked;
}

#endif

}  // namespace

const Hdf5Library& hdf5() {
  static const Hdf5Library library = load();
  return library;
}

}  // namespace kernmix
