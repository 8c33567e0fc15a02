// The library is called in copies of the process alone: a damaged file can end it
// (data/arrays/separate_process.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/memory/memory_text.hpp"
#include "data/arrays/separate_process.hpp"
#include "data/file.hpp"
#include "data/hdf5/hdf5.hpp"
#include "data/hdf5/listing.hpp"
#include "data/hdf5/reading.hpp"
#include "data/hdf5/texts.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

void load_library(const std::string& path) {
  try {
    (void)hdf5();
  } catch (const DataError& error) {
    throw DataError(path + ": " + error.what());
  }
}

[[noreturn]] void refuse_array(const std::string& place) {
  throw DataError(place + ": cannot be read: the file is damaged or truncated");
}

/// How the two processes share the memory budget, and the time without output.
struct SharedBudget {
  ProcessLimits limits;
  Context own;  ///< of what this process takes
};

/// \param held   bytes that this process takes whatever comes
/// \param grows  more may come, for which half of the rest is left
SharedBudget share_budget(std::size_t held, bool grows, const Context& context) {
  constexpr std::size_t least = std::size_t{16} << 20;  // HDF5 reads the smallest files with it
  constexpr double slow_bytes = 1e7;                    // a second, of the slowest filter
  const std::size_t allowed = memory_allowed(context);
  const std::size_t rest = allowed - std::min(allowed, held);
  SharedBudget budget;
  budget.limits.bytes = std::max(grows ? rest / 2 : rest, least);
  budget.limits.silent_seconds += static_cast<double>(held) / slow_bytes;
  budget.own = context;
  if (grows) budget.own.memory_bytes = std::max<std::size_t>(held + rest / 2, 1);
  return budget;
}

/// Rejects what came so far if it exceeds the memory that this process has.
void require_share(const std::string& place, std::size_t bytes, const SharedBudget& budget,
                   const Context& context) {
  if (bytes <= memory_allowed(budget.own)) return;
  throw ResourceError(fmt::format(
      "{}: its texts need more than {}, the share of the memory budget of {} (--memory) that is "
      "left beside the process that reads them; allow more memory",
      place, memory_text(memory_allowed(budget.own)), memory_text(memory_allowed(context))));
}

class Hdf5File final : public ArrayFile {
 public:
  Hdf5File(const std::string& path, const Context& context);

  [[nodiscard]] Vector numbers(const StoredArray& array, const Context& context) const override;
  [[nodiscard]] std::vector<std::string> texts(const StoredArray& array,
                                               const Context& context) const override;
  [[nodiscard]] std::vector<std::string> attribute(const std::string& path,
                                                   const std::string& name) const override {
    const auto found = listing_.attributes.find({path == "/" ? "" : path, name});
    return found == listing_.attributes.end() ? std::vector<std::string>() : found->second;
  }

 private:
  /// write(data set, out) in a copy of the process.
  template <typename Write>
  [[nodiscard]] bool read(const StoredArray& array, const ProcessLimits& limits,
                          const Context& context, const Write& write,
                          const std::function<void(std::string_view)>& take) const {
    const auto work = [&](const Descriptor& out) {
      const Hdf5Handle file = open_hdf5_file(path());
      if (!file.valid()) return false;
      const Hdf5Handle dataset(hdf5().H5Dopen2(file.id(), array.path.c_str(), H5P_DEFAULT),
                               hdf5().H5Dclose);
      return dataset.valid() && write(dataset.id(), out);
    };
    return in_separate_process(work, take, limits, place(array), context);
  }

  Hdf5Listing listing_;
};

Hdf5File::Hdf5File(const std::string& path, const Context& context) : ArrayFile(path) {
  const SharedBudget budget = share_budget(0, true, context);
  std::size_t bytes = 0;
  std::vector<std::string> fields;
  TextStream texts([&](std::string&& text) {
    bytes += sizeof(std::string);
    if (!text.empty()) return fields.push_back(fields.empty() ? std::move(text) : text.substr(1));
    if (!fields.empty()) listing_.add(std::move(fields));
    fields.clear();
  });
  const auto take = [&](std::string_view piece) {
    bytes += piece.size();
    require_share(path, bytes, budget, context);
    texts.add(piece);
  };
  const auto write = [&](const Descriptor& out) {
    return write_listing(path, budget.limits.bytes, out);
  };
  const bool done = in_separate_process(write, take, budget.limits, path, context);
  if (listing_.too_many) {
    throw DataError(
        fmt::format("{}: holds more than {} objects; copy those of interest into another file",
                    path, listing_.arrays.size() - 1));
  }
  if (!done || !listing_.complete) {
    throw DataError(path + ": is damaged or truncated: HDF5 cannot open it");
  }
  for (StoredArray& array : listing_.arrays) add(std::move(array));
  listing_.arrays.clear();
}

Vector Hdf5File::numbers(const StoredArray& array, const Context& context) const {
  const Index count = count_of(array.shape, sizeof(double), place(array), context);
  Vector numbers(to_size(count));
  std::size_t filled = 0;
  const std::size_t bytes = numbers.size() * sizeof(double);
  const auto take = [&](std::string_view piece) {
    if (piece.size() > bytes - filled) refuse_array(place(array));
    std::memcpy(reinterpret_cast<char*>(numbers.data()) + filled, piece.data(), piece.size());
    filled += piece.size();
  };
  const ProcessLimits limits = share_budget(bytes, false, context).limits;
  const auto write = [&](hid_t dataset, const Descriptor& out) {
    return write_numbers(dataset, array.shape, limits.bytes, out);
  };
  if (!read(array, limits, context, write, take) || filled != bytes) refuse_array(place(array));
  return numbers;
}

std::vector<std::string> Hdf5File::texts(const StoredArray& array, const Context& context) const {
  constexpr std::size_t copies = 4;  // here, as lines of a table, as cells, and as ids or labels
  const Index count = count_of(array.shape, copies * sizeof(std::string), place(array), context);
  std::vector<std::string> all;
  all.reserve(to_size(count));
  std::size_t bytes = copies * to_size(count) * sizeof(std::string);
  const SharedBudget budget = share_budget(bytes, true, context);
  TextStream stream([&](std::string&& text) { all.push_back(std::move(text)); });
  const auto take = [&](std::string_view piece) {
    bytes += copies * piece.size();
    require_share(place(array), bytes, budget, context);
    stream.add(piece);
  };
  const auto write = [&](hid_t dataset, const Descriptor& out) {
    return write_texts(dataset, array.shape, budget.limits.bytes, out);
  };
  if (!read(array, budget.limits, context, write, take) || length(all) != count)
    refuse_array(place(array));
  return all;
}

}  // namespace

std::shared_ptr<const ArrayFile> open_hdf5(const std::string& path, const Context& context) {
  load_library(path);
  return std::make_shared<Hdf5File>(path, context);
}

}  // namespace kernmix
