#include "data/hdf5/listing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <functional>
#include <iterator>
#include <set>

#include "data/hdf5/description.hpp"
#include "data/hdf5/reading.hpp"
#include "data/hdf5/texts.hpp"

namespace kernmix {
namespace {

constexpr std::size_t most_objects = 100000;
constexpr int most_levels = 32;

/// Attributes that readers ask for.
constexpr std::array asked_attributes = {"encoding-type", "_index",      "column-order",
                                         "shape",         "mod-order",   "MATLAB_class",
                                         "MATLAB_sparse", "MATLAB_empty"};

// Records are texts that zeros end, and an empty text ends a record: "object", path, content, type,
// refusal and extents, each after a '=', or "attribute", path, name and texts.
class Lister {
 public:
  Lister(hid_t file, std::size_t room, const Descriptor& out)
      : file_(file), room_(room), out_(out) {}

  [[nodiscard]] bool run() {
    add_attributes(file_, "");
    list("", 0);
    begin_record(objects_ > most_objects ? "many" : "end");
    end_record();
    return flush();
  }

 private:
  void list(const std::string& group, int level);
  void list_link(hid_t group, const std::string& path, const char* name, int level);
  void add(const StoredArray& array);
  void add_attributes(hid_t object, const std::string& path);
  void begin_record(std::string_view kind) { bytes_.append(kind) += '\0'; }
  void add_field(std::string_view text);
  void end_record();
  bool flush();

  hid_t file_;
  std::size_t room_;
  const Descriptor& out_;
  std::string bytes_;
  bool open_ = true;  ///< the other process reads
  std::chrono::steady_clock::time_point flushed_ = std::chrono::steady_clock::now();
  std::size_t objects_ = 0;
  std::set<haddr_t> groups_;  ///< that were listed: hard links may form circles
};

void Lister::add_field(std::string_view text) {
  constexpr std::size_t buffer = std::size_t{1} << 16;
  (bytes_ += '=').append(text) += '\0';
  if (bytes_.size() >= buffer) (void)flush();
}

/// The other process hears at least once a second that objects are found.
void Lister::end_record() {
  bytes_ += '\0';
  if (std::chrono::steady_clock::now() - flushed_ > std::chrono::seconds(1)) (void)flush();
}

bool Lister::flush() {
  open_ = open_ && write_all(out_, bytes_);
  bytes_.clear();
  flushed_ = std::chrono::steady_clock::now();
  return open_;
}

void Lister::add(const StoredArray& array) {
  begin_record("object");
  add_field(array.path);
  add_field(std::to_string(static_cast<int>(array.content)));
  add_field(array.type);
  add_field(array.refusal);
  add_field(fmt::format("{}", fmt::join(array.shape, " ")));
  end_record();
}

void Lister::add_attributes(hid_t object, const std::string& path) {
  for (const char* const name : asked_attributes) {
    if (hdf5().H5Aexists(object, name) <= 0) continue;
    const Hdf5Handle attribute(hdf5().H5Aopen(object, name, H5P_DEFAULT), hdf5().H5Aclose);
    if (!attribute.valid()) continue;
    begin_record("attribute");
    add_field(path);
    add_field(name);
    take_attribute(attribute.id(), room_, [&](std::string_view text) { add_field(text); });
    end_record();
  }
}

void Lister::list(const std::string& group, int level) {
  const Hdf5Handle open(hdf5().H5Gopen2(file_, group.empty() ? "/" : group.c_str(), H5P_DEFAULT),
                        hdf5().H5Gclose);
  H5O_info_t about = {};
  H5G_info_t size = {};
  if (!open.valid() || hdf5().H5Oget_info(open.id(), &about) < 0 ||
      hdf5().H5Gget_info(open.id(), &size) < 0) {
    return;
  }
  if (level > most_levels || !groups_.insert(about.addr).second) return;
  for (hsize_t k = 0; k < size.nlinks && open_ && objects_ <= most_objects; ++k) {
    std::array<char, 1024> name{};
    const ssize_t length = hdf5().H5Lget_name_by_idx(open.id(), ".", H5_INDEX_NAME, H5_ITER_INC, k,
                                                     name.data(), name.size(), H5P_DEFAULT);
    if (length <= 0 || to_size(length) >= name.size()) continue;
    ++objects_;
    list_link(open.id(), group + "/" + name.data(), name.data(), level);
  }
}

void Lister::list_link(hid_t group, const std::string& path, const char* name, int level) {
  StoredArray array;
  H5L_info_t link = {};
  const bool known = hdf5().H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0;
  if (!known || link.type != H5L_TYPE_HARD) {
    array.type = "link";
    array.refusal = known && link.type == H5L_TYPE_SOFT
                        ? "is a link to another place; name this place itself"
                        : "is a link to another file; copy the numbers into one file (h5repack)";
    array.path = path;
    return add(array);
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
  add(array);
  if (object.valid()) add_attributes(object.id(), path);
  if (type == H5I_GROUP) list(path, level + 1);
}

/// 0 for what is no number: the process that wrote it may have been damaged.
Index index_in(std::string_view text) {
  Index value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

ArrayContent content_in(std::string_view text) {
  const Index value = index_in(text);
  const bool known = value >= 0 && value <= static_cast<Index>(ArrayContent::other);
  return known ? static_cast<ArrayContent>(value) : ArrayContent::other;
}

std::vector<Index> extents_of(std::string_view text) {
  std::vector<Index> extents;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    extents.push_back(index_in(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return extents;
}

}  // namespace

Hdf5Handle open_hdf5_file(const std::string& path) {
  hdf5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  hdf5().H5PLset_loading_state(0);
  return {hdf5().H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), hdf5().H5Fclose};
}

bool write_listing(const std::string& path, std::size_t room, const Descriptor& out) {
  const Hdf5Handle file = open_hdf5_file(path);
  if (!file.valid()) rethrow_lack_of_memory();
  return file.valid() && Lister(file.id(), room, out).run();
}

void Hdf5Listing::add(std::vector<std::string>&& fields) {
  if (fields[0] == "object" && fields.size() == 6) {
    StoredArray array;
    array.path = fields[1];
    array.content = content_in(fields[2]);
    array.type = fields[3];
    array.refusal = fields[4];
    array.shape = extents_of(fields[5]);
    arrays.push_back(std::move(array));
  } else if (fields[0] == "attribute" && fields.size() >= 3) {
    attributes[{fields[1], fields[2]}] = {std::make_move_iterator(fields.begin() + 3),
                                          std::make_move_iterator(fields.end())};
  } else {
    complete = fields[0] == "end";
    too_many = fields[0] == "many";
  }
}

void TextStream::add(std::string_view piece) {
  for (std::size_t end = 0; (end = piece.find('\0')) != std::string_view::npos;) {
    open_.append(piece.substr(0, end));
    take_(std::move(open_));
    open_.clear();
    piece.remove_prefix(end + 1);
  }
  open_ += piece;
}

}  // namespace kernmix
