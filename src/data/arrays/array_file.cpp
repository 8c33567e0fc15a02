#include "data/arrays/array_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "base/text.hpp"
#include "data/file.hpp"
#include "data/hdf5/hdf5.hpp"
#include "data/mat/mat.hpp"
#include "data/npz/npz.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

using namespace std::string_view_literals;

enum class ArrayFormat : char { none, npz, hdf5, mat, mat73 };

/// A ZIP archive whose first member is an .npy file.
bool is_npz(std::string_view head) {
  constexpr std::size_t name_begin = 30;
  if (!head.starts_with("PK\x03\x04"sv) || head.size() < name_begin) return false;
  const auto byte = [&](std::size_t k) { return to_size(static_cast<unsigned char>(head[k])); };
  return head.substr(name_begin, byte(26) | byte(27) << 8).ends_with(".npy");
}

ArrayFormat format_of_arrays(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return ArrayFormat::none;
  const Descriptor in = open_to_read(path);
  std::array<char, 1024> start{};
  const ssize_t count = ::pread(in.number(), start.data(), start.size(), 0);
  const std::string_view head(start.data(), to_size(std::max<ssize_t>(count, 0)));
  constexpr std::string_view hdf5 = "\x89HDF\r\n\x1a\n";
  if (head.starts_with("MATLAB 7.3")) return ArrayFormat::mat73;
  if (head.starts_with(hdf5) || (head.size() > 512 && head.substr(512).starts_with(hdf5))) {
    return ArrayFormat::hdf5;
  }
  if (head.starts_with("MATLAB 5.0")) return ArrayFormat::mat;
  return is_npz(head) ? ArrayFormat::npz : ArrayFormat::none;
}

/// Beyond it, two integers may be the same number.
constexpr double largest_exact_integer = 9007199254740992.0;

}  // namespace

Index StoredArray::entries() const {
  if (shape.size() == 1) return shape[0];
  if (shape.size() != 2 || std::min(shape[0], shape[1]) != 1) return -1;
  return std::max(shape[0], shape[1]);
}

std::string shape_text(const std::vector<Index>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

const StoredArray* ArrayFile::find(std::string_view path) const {
  const auto bare = [](std::string_view text) {
    return text.starts_with('/') ? text.substr(1) : text;
  };
  const auto found = std::ranges::find_if(
      arrays_, [&](const StoredArray& array) { return bare(array.path) == bare(path); });
  return found == arrays_.end() ? nullptr : &*found;
}

bool holds_arrays(const std::string& path) { return format_of_arrays(path) != ArrayFormat::none; }

std::shared_ptr<const ArrayFile> open_arrays(const std::string& path, const Context& context) {
  switch (format_of_arrays(path)) {
    case ArrayFormat::npz:
      return open_npz(path, context);
    case ArrayFormat::hdf5:
      return open_hdf5(path, context);
    case ArrayFormat::mat:
      return open_mat(path, context);
    case ArrayFormat::mat73:
      return open_mat73(open_hdf5(path, context));
    default:
      throw DataError(path + ": is not a file of arrays (NPZ, HDF5 or MATLAB)");
  }
}

const StoredArray& require_array(const ArrayFile& file, const std::string& path) {
  const StoredArray* const found = file.find(path);
  if (found == nullptr) {
    std::vector<std::string> paths;
    for (const StoredArray& array : file.arrays()) paths.push_back(array.path);
    throw DataError(fmt::format("{}: there is no array {}{} (the file holds {})", file.path(),
                                in_quotes(path), did_you_mean(path, paths), arrays_text(file)));
  }
  if (found->content == ArrayContent::other) {
    throw DataError(fmt::format("{}: {}", file.place(*found), found->refusal));
  }
  return *found;
}

std::string unread_matrices_text(const ArrayFile& file) {
  constexpr std::size_t shown = 3;
  std::vector<std::string> reasons;
  for (const StoredArray& array : file.arrays()) {
    if (array.content == ArrayContent::other && array.entries() < 0) {
      reasons.push_back(fmt::format("{}: {}", array.path, array.refusal));
    } else if (array.content == ArrayContent::numbers && array.shape.size() > 2) {
      reasons.push_back(fmt::format("{}: has {} dimensions, {}, and a table has 2", array.path,
                                    array.shape.size(), shape_text(array.shape)));
    }
  }
  const std::size_t count = reasons.size();
  reasons.resize(std::min(count, shown));
  return fmt::format("{}{}", fmt::join(reasons, "; "),
                     count > shown ? fmt::format("; and {} more", count - shown) : "");
}

std::string arrays_text(const ArrayFile& file) {
  constexpr std::size_t most = 12;
  std::vector<std::string> texts;
  std::size_t left = 0;
  for (const StoredArray& array : file.arrays()) {
    if (array.content != ArrayContent::numbers && array.content != ArrayContent::texts) continue;
    if (texts.size() == most) {
      ++left;
      continue;
    }
    texts.push_back(fmt::format("{} {} of {}", array.path, shape_text(array.shape), array.type));
  }
  if (texts.empty()) return "no arrays of numbers or texts";
  return fmt::format("{}{}", fmt::join(texts, ", "),
                     left == 0 ? "" : fmt::format(" and {} more", left));
}

std::vector<std::string> entries_as_text(const ArrayFile& file, const StoredArray& array,
                                         const Context& context) {
  if (array.content == ArrayContent::texts) return file.texts(array, context);
  std::vector<std::string> texts;
  const bool integers = !array.type.starts_with("float");
  const Vector numbers = file.numbers(array, context);
  require_memory_of_bytes(file.place(array),
                          numbers.size() * (sizeof(double) + sizeof(std::string)), context);
  for (const double number : numbers) {
    if (integers && std::abs(number) >= largest_exact_integer) {
      throw DataError(
          fmt::format("{}: integers of 2^53 and more are not told apart; save them as texts",
                      file.place(array)));
    }
    texts.push_back(std::isnan(number)     ? "NA"
                    : array.type != "bool" ? fmt::format("{}", number)
                    : number == 0.0        ? "False"
                                           : "True");
  }
  return texts;
}

}  // namespace kernmix
