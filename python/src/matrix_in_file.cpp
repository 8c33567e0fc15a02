#include "matrix_in_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <memory>
#include <utility>

#include "kernmix/error.hpp"
#include "part_of_array.hpp"

namespace kernmix::python {
namespace {

/// Closes itself.
class OpenFile {
 public:
  explicit OpenFile(const std::string& name)
      : name_(name), number_(::open(name.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0 || ::fstat(number_, &at_first_) != 0) {
      throw DataError("'" + name + "' cannot be opened");
    }
  }
  ~OpenFile() { ::close(number_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(at_first_.st_size);
  }

  void read(std::uint64_t place, MutableSpan out) const {
    char* next = reinterpret_cast<char*>(out.data());
    for (std::size_t left = out.size_bytes(); left > 0;) {
      const ssize_t some = ::pread(number_, next, left, static_cast<off_t>(place));
      if (some < 0 && errno == EINTR) continue;
      if (some <= 0) refuse();
      next += some;
      place += static_cast<std::uint64_t>(some);
      left -= static_cast<std::size_t>(some);
    }
    struct stat now = {};
    if (::fstat(number_, &now) != 0 || now.st_size != at_first_.st_size ||
        now.st_mtim.tv_sec != at_first_.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != at_first_.st_mtim.tv_nsec) {
      refuse();
    }
  }

 private:
  [[noreturn]] void refuse() const {
    throw DataError("'" + name_ + "' has changed while it was read; map it again");
  }

  std::string name_;
  int number_;
  struct stat at_first_ = {};
};

class MatrixInFile final : public MatrixReader {
 public:
  MatrixInFile(FilePlace place, std::vector<Index> rows, std::vector<Index> columns,
               std::string name)
      : place_(std::move(place)),
        file_(place_.file),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        name_(std::move(name)) {
    const auto last = static_cast<std::uint64_t>((place_.rows - 1) * place_.stride + place_.cols);
    if (place_.rows > 0 && place_.cols > 0 && file_.bytes() < place_.offset + 8 * last) {
      throw DataError("'" + place_.file + "' has become shorter since it was mapped");
    }
  }

  [[nodiscard]] Index rows() const override { return length(rows_); }
  [[nodiscard]] Index cols() const override { return length(columns_); }

  void block(std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    if (rows.empty() || cols.empty()) return;
    Index least = place_.cols;
    Index most = 0;
    for (const Index j : cols) {
      least = std::min(least, columns_[to_size(j)]);
      most = std::max(most, columns_[to_size(j)]);
    }
    Vector row(to_size(most - least + 1));
    auto next = out.begin();
    for (const Index i : rows) {
      const Index first = rows_[to_size(i)] * place_.stride + least;
      file_.read(place_.offset + 8 * static_cast<std::uint64_t>(first), row);
      for (const Index j : cols) {
        const double value = row[to_size(columns_[to_size(j)] - least)];
        if (!std::isfinite(value)) refuse_entry(name_, i, j, value);
        *next++ = value;
      }
    }
  }

 private:
  FilePlace place_;
  OpenFile file_;
  std::vector<Index> rows_, columns_;
  std::string name_;
};

}  // namespace

GivenMatrix matrix_in_file(const FilePlace& place, std::vector<Index> rows,
                           std::vector<Index> columns, const std::string& name) {
  require_places(rows, place.rows, "rows", name);
  require_places(columns, place.cols, "columns", name);
  return std::shared_ptr<const MatrixReader>(
      std::make_shared<const MatrixInFile>(place, std::move(rows), std::move(columns), name));
}

}  // namespace kernmix::python
