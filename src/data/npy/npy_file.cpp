#include "data/npy/npy_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <utility>

#include "base/shape.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Index many_rows = 256;

/// One matrix of a file, in C order or, if it is the only one, in Fortran order.
class NpyMatrix final : public MatrixReader {
 public:
  NpyMatrix(std::shared_ptr<const NpyFile> file, Index number)
      : file_(std::move(file)),
        turned_(file_->header().fortran_order),
        rows_(turned_ ? file_->cols() : file_->rows()),
        cols_(turned_ ? file_->rows() : file_->cols()),
        first_(number * rows_ * cols_) {}

  [[nodiscard]] Index rows() const override { return file_->rows(); }
  [[nodiscard]] Index cols() const override { return file_->cols(); }

  void block(std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    if (rows.empty() || cols.empty()) return;
    if (!turned_) return read(rows, cols, out);
    Matrix turned(length(cols), length(rows));
    read(cols, rows, turned.values);
    constexpr Index side = 16;  // both sides in the first cache
    for (Index top = 0; top < turned.rows; top += side) {
      for (Index left = 0; left < turned.cols; left += side) {
        for (Index j = top; j < std::min(top + side, turned.rows); ++j) {
          for (Index i = left; i < std::min(left + side, turned.cols); ++i) {
            out[to_size(i * turned.rows + j)] = turned(j, i);
          }
        }
      }
    }
  }

 private:
  /// Reads rows and columns in the order of the file.
  void read(std::span<const Index> rows, std::span<const Index> cols, MutableSpan out) const {
    const auto [least, most] = std::ranges::minmax(cols);
    const bool whole = consecutive(cols);
    if (whole && length(cols) == cols_ && consecutive(rows)) {
      return file_->numbers(first_ + rows.front() * cols_, out);
    }
    const bool is_first = least == 0 && rows.front() == 0;
    if (is_first && length(rows) >= many_rows && consecutive(rows)) announce_matrix();
    const Index width = most - least + 1;
    double* entry = out.data();
    for (std::size_t k = 0; k < rows.size();) {
      const std::size_t end = neighbours(rows, k, width);
      const Index begin = rows[k] * cols_ + least;
      const Index count = (rows[end - 1] - rows[k]) * cols_ + width;
      const auto buffer = std::make_unique_for_overwrite<double[]>(to_size(count));
      file_->numbers(first_ + begin, {buffer.get(), to_size(count)});
      for (; k < end; ++k) {
        const double* row = buffer.get() + (rows[k] * cols_ + least - begin);
        if (whole) {
          entry = std::copy_n(row, width, entry);
        } else {
          for (const Index j : cols) *entry++ = row[j - least];
        }
      }
    }
  }

  /// Whoever reads the first window of many rows reads the others next (square_windows() in
  /// pack.cpp). Without the hint, the system reads ahead of each row alone.
  void announce_matrix() const {
    constexpr Index most = Index{1} << 26;
    if (rows_ * cols_ <= most) file_->announce(first_, rows_ * cols_);
  }

  /// Number of rows from k on that are read together: reading the gap costs less than another call.
  [[nodiscard]] std::size_t neighbours(std::span<const Index> rows, std::size_t k,
                                       Index width) const {
    constexpr Index gap = 1024;
    constexpr Index most = Index{1} << 17;
    std::size_t end = k + 1;
    while (end < rows.size() && rows[end] > rows[end - 1] &&
           (rows[end] - rows[end - 1]) * cols_ <= width + gap &&
           (rows[end] - rows[k]) * cols_ + width <= most) {
      ++end;
    }
    return end;
  }

  std::shared_ptr<const NpyFile> file_;
  bool turned_;  ///< columns of the matrix are rows of the file
  Index rows_;   ///< of the file
  Index cols_;
  Index first_;  ///< number of the first entry
};

}  // namespace

NpyFile::NpyFile(const std::string& path) : path_(path), file_(open_to_read(path)), at_first_() {
  if (::fstat(file_.number(), &at_first_) != 0) throw DataError(path + ": cannot be examined");
  const auto size = to_size(at_first_.st_size);
  if (size == 0) throw DataError(path + ": is empty");
  constexpr std::size_t most_header = std::size_t{1} << 17;
  std::string start(std::min(size, most_header), '\0');
  read(0, start.data(), start.size());
  header_ = parse_npy_header(start, path);
  (void)npy_numbers(header_, size - header_.data_begin, path);
}

Index NpyFile::matrices() const {
  if (header_.shape.size() < 2) {
    throw DataError(fmt::format("{}: matrices need shape (n, n) or (M, n, n), this array has ({},)",
                                path_, header_.shape[0]));
  }
  return header_.shape.size() == 3 ? header_.shape[0] : 1;
}

void NpyFile::numbers(Index first, MutableSpan out) const {
  const std::size_t place = header_.data_begin + to_size(first) * header_.item_bytes;
  const bool as_it_is = header_.kind == 'f' && header_.item_bytes == sizeof(double) &&
                        header_.big_endian == (std::endian::native == std::endian::big);
  if (as_it_is) {
    read(place, reinterpret_cast<char*>(out.data()), out.size_bytes());
  } else {
    std::array<char, std::size_t{1} << 16> raw;
    const std::size_t at_once = raw.size() / header_.item_bytes;
    for (std::size_t k = 0; k < out.size(); k += at_once) {
      const MutableSpan some = out.subspan(k, std::min(at_once, out.size() - k));
      read(place + k * header_.item_bytes, raw.data(), some.size() * header_.item_bytes);
      convert_npy(header_, raw.data(), some);
    }
  }
  require_unchanged();
  if (all_finite(out)) return;
  const auto bad = std::ranges::find_if(out, [](double value) { return !std::isfinite(value); });
  refuse(first + (bad - out.begin()), *bad);
}

void NpyFile::announce(Index first, Index count) const {
  const std::size_t begin = header_.data_begin + to_size(first) * header_.item_bytes;
  const std::size_t bytes = to_size(count) * header_.item_bytes;
  // Advice that the system may ignore.
  (void)::posix_fadvise(file_.number(), static_cast<off_t>(begin), static_cast<off_t>(bytes),
                        POSIX_FADV_WILLNEED);
}

void NpyFile::read(std::size_t place, char* out, std::size_t count) const {
  while (count > 0) {
    const ssize_t some = ::pread(file_.number(), out, count, static_cast<off_t>(place));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) throw DataError(path_ + ": reading failed before the end");
    if (some == 0) throw DataError(path_ + ": became shorter during the run; run again");
    const auto step = to_size(some);
    place += step;
    out += step;
    count -= step;
  }
}

/// The file must not change during a run, because the certificate is about the numbers of training.
void NpyFile::require_unchanged() const {
  struct stat now = {};
  const bool same = ::fstat(file_.number(), &now) == 0 && now.st_size == at_first_.st_size &&
                    now.st_mtim.tv_sec == at_first_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == at_first_.st_mtim.tv_nsec;
  if (!same) throw DataError(path_ + ": changed during the run; run again");
}

void NpyFile::refuse(Index place, double value) const {
  const Index count = matrices();
  Index matrix = place / (rows() * cols());
  Index row = place / cols() % rows();
  Index col = place % cols();
  if (header_.fortran_order) {
    matrix = place % count;
    row = place / count % rows();
    col = place / count / rows();
  }
  throw DataError(fmt::format("{}: matrix {}, row {}, column {}: {} is not a finite number", path_,
                              matrix + 1, row + 1, col + 1, value));
}

bool interleaved(const NpyFile& file) { return file.header().fortran_order && file.matrices() > 1; }

std::vector<GivenMatrix> matrices_of(const std::shared_ptr<const NpyFile>& file) {
  std::vector<GivenMatrix> result;
  for (Index m = 0; m < file->matrices(); ++m) {
    result.emplace_back(std::make_shared<const NpyMatrix>(file, m));
  }
  return result;
}

}  // namespace kernmix
