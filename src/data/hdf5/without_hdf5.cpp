// The place of hdf5_file.cpp in a build without the HDF5 library.
#include "data/hdf5/hdf5.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

std::shared_ptr<const ArrayFile> open_hdf5(const std::string& path, const Context&) {
  throw DataError(path +
                  ": is an HDF5 file, and this kernmix was built without HDF5: build it with "
                  "libhdf5-dev installed, or read the file in Python, with h5py or anndata");
}

}  // namespace kernmix
