#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "data/file.hpp"
#include "data/hdf5/description.hpp"
#include "data/hdf5/handle.hpp"
#include "data/hdf5/hdf5.hpp"
#include "data/hdf5/reading.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::size_t most_objects = 100000;
constexpr int most_levels = 32;

/// The library may be built for one thread: only one uses it at a time.
std::mutex& library_in_use() {
  static std::mutex mutex;
  return mutex;
}

void load_library(const std::string& path) {
  try {
    (void)hdf5();
  } catch (const DataError& error) {
    throw DataError(path + ": " + error.what());
  }
}

class Hdf5File final : public ArrayFile {
 public:
  Hdf5File(const std::string& path, const Context& context)
      : ArrayFile(path),
        context_(context),
        lock_(library_in_use()),
        file_(opened(path), hdf5().H5Fclose) {
    if (!file_.valid()) {
      throw DataError(path + ": is damaged or truncated: HDF5 cannot open it");
    }
    list("", 0, context);
    lock_.unlock();
  }
  ~Hdf5File() override { lock_.lock(); }  // until file_ is closed

  [[nodiscard]] Vector numbers(const StoredArray& array, const Context& context) const override;
  [[nodiscard]] std::vector<std::string> texts(const StoredArray& array,
                                               const Context& context) const override;
  [[nodiscard]] std::vector<std::string> attribute(const std::string& path,
                                                   const std::string& name) const override;

 private:
  static hid_t opened(const std::string& path) {
    hdf5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors become exceptions, not lines
    hdf5().H5PLset_loading_state(0);                     // no code from plug-ins
    return hdf5().H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  }

  void list(const std::string& group, int level, const Context& context);
  void list_link(hid_t group, const std::string& path, const char* name, int level,
                 const Context& context);
  [[nodiscard]] Hdf5Handle dataset(const StoredArray& array) const {
    return {hdf5().H5Dopen2(file_.id(), array.path.c_str(), H5P_DEFAULT), hdf5().H5Dclose};
  }

  Context context_;  ///< of attributes, which are read while tables are opened
  mutable std::unique_lock<std::mutex> lock_;  ///< outlives file_
  Hdf5Handle file_;
  std::set<haddr_t> groups_;  ///< that were listed: hard links may form circles
};

void Hdf5File::list(const std::string& group, int level, const Context& context) {
  const Hdf5Handle open(
      hdf5().H5Gopen2(file_.id(), group.empty() ? "/" : group.c_str(), H5P_DEFAULT),
      hdf5().H5Gclose);
  H5O_info_t about = {};
  H5G_info_t size = {};
  if (!open.valid() || hdf5().H5Oget_info(open.id(), &about) < 0 ||
      hdf5().H5Gget_info(open.id(), &size) < 0) {
    return;
  }
  if (level > most_levels || !groups_.insert(about.addr).second) return;
  for (hsize_t k = 0; k < size.nlinks; ++k) {
    stop_reading_if_asked(path(), context);
    std::array<char, 1024> name{};
    const ssize_t length = hdf5().H5Lget_name_by_idx(open.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k,
                                                     name.data(), name.size(), H5P_DEFAULT);
    if (length <= 0 || to_size(length) >= name.size()) continue;
    if (arrays().size() >= most_objects) {
      throw DataError(
          fmt::format("{}: holds more than {} objects; copy those of interest into "
                      "another file",
                      path(), most_objects));
    }
    list_link(open.id(), group + "/" + name.data(), name.data(), level, context);
  }
}

void Hdf5File::list_link(hid_t group, const std::string& path, const char* name, int level,
                         const Context& context) {
  StoredArray array;
  H5L_info_t link = {};
  const bool known = hdf5().H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0;
  if (!known || link.type != H5L_TYPE_HARD) {
    array.type = "link";
    array.refusal = known && link.type == H5L_TYPE_SOFT
                        ? "is a link to another place; name this place itself"
                        : "is a link to another file; copy the numbers into one file (h5repack)";
    array.path = path;
    return add(std::move(array));
  }
  const Hdf5Handle object(hdf5().H5Oopen(group, name, H5P_DEFAULT), hdf5().H5Oclose);
  const H5I_type_t type = object.valid() ? hdf5().H5Iget_type(object.id()) : H5I_BADID;
  if (type == H5I_GROUP) {
    array.content = ArrayContent::group;
    array.type = "group";
  } else if (type == H5I_DATASET) {
    array = describe_dataset(object.id());
  } else {
    array.type = "other";
    array.refusal = object.valid()
                        ? "is neither a data set nor a group"
                        : "cannot be opened by this HDF5 library: it is damaged, or a newer HDF5 "
                          "wrote it (h5py.File(..., libver=('earliest', 'v108')) writes for all)";
  }
  array.path = path;
  add(std::move(array));
  if (type == H5I_GROUP) list(path, level + 1, context);
}

Vector Hdf5File::numbers(const StoredArray& array, const Context& context) const {
  const std::lock_guard lock(library_in_use());
  return read_numbers(dataset(array).id(), array.shape, place(array), context);
}

std::vector<std::string> Hdf5File::texts(const StoredArray& array, const Context& context) const {
  const std::lock_guard lock(library_in_use());
  return read_texts(dataset(array).id(), array.shape, place(array), context);
}

std::vector<std::string> Hdf5File::attribute(const std::string& path,
                                             const std::string& name) const {
  const std::lock_guard lock(library_in_use());
  const Hdf5Handle object(
      hdf5().H5Oopen(file_.id(), path.empty() ? "/" : path.c_str(), H5P_DEFAULT), hdf5().H5Oclose);
  if (!object.valid() || hdf5().H5Aexists(object.id(), name.c_str()) <= 0) return {};
  const Hdf5Handle attribute(hdf5().H5Aopen(object.id(), name.c_str(), H5P_DEFAULT),
                             hdf5().H5Aclose);
  return attribute.valid()
             ? read_attribute(attribute.id(), fmt::format("{}:{}@{}", this->path(), path, name),
                              context_)
             : std::vector<std::string>();
}

}  // namespace

std::shared_ptr<const ArrayFile> open_hdf5(const std::string& path, const Context& context) {
  load_library(path);
  return std::make_shared<Hdf5File>(path, context);
}

}  // namespace kernmix
