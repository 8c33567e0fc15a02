#pragma once
/// \file
/// One base kernel, before anybody decides how to store it: entries on demand.

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// Which samples are compared, and how: the same for kernels that are functions of the same
/// distances (or products), such as Gaussians of several widths on the same columns.
struct SampleComparison {
  const void* left;   ///< where the left samples lie
  const void* right;  ///< where the right ones lie
  int how;
  /// Some order, for maps.
  [[nodiscard]] bool operator<(const SampleComparison& other) const {
    return std::tie(left, right, how) < std::tie(other.left, other.right, other.how);
  }
};

/// Entries of one base kernel between `rows()` samples on the left and `cols()` samples on the
/// right. In training both are the same samples and the matrix is symmetric positive semidefinite;
/// in prediction the left samples are new and the right ones are support vectors.
/// This is the open set of the library: derive from it to bring a kernel of your own.
/// Implementations are immutable and safe to call from several threads at once.
class KernelSource {
 public:
  virtual ~KernelSource() = default;

  [[nodiscard]] virtual Index rows() const = 0;
  [[nodiscard]] virtual Index cols() const = 0;

  /// out[r * length(col_index) + c] = k(left[row_index[r]], right[col_index[c]]), row-major.
  virtual void block(std::span<const Index> row_index, std::span<const Index> col_index,
                     MutableSpan out) const = 0;

  /// Sources with the same comparison share the first of two steps, block() = compare(), finish().
  [[nodiscard]] virtual std::optional<SampleComparison> comparison() const { return std::nullopt; }
  /// What the entries are made from, as block() lays them out.
  virtual void compare(std::span<const Index> row_index, std::span<const Index> col_index,
                       MutableSpan out) const {
    block(row_index, col_index, out);
  }
  /// Turns that into the entries, in place.
  virtual void finish(std::span<const Index> /*row_index*/, std::span<const Index> /*col_index*/,
                      MutableSpan /*values*/) const {}

  /// The training matrix where it lies in memory: entry (i, j) = scale * first[i stride + j]. Such
  /// a kernel has no comparison().
  struct Stored {
    const double* first;
    Index stride;
    double scale;
  };
  [[nodiscard]] virtual std::optional<Stored> stored() const { return std::nullopt; }

  /// True where block() reads a file: a few large blocks take less time than many small ones.
  [[nodiscard]] virtual bool read_each_time() const { return false; }

  /// out[i] = k(x_i, x_i) of left sample i, for i = 0 .. rows()-1.
  virtual void left_diagonal(MutableSpan out) const = 0;
  /// out[j] = k(x_j, x_j) of right sample j, for j = 0 .. cols()-1.
  virtual void right_diagonal(MutableSpan out) const = 0;

  /// An upper bound on the rank of the training matrix that is known without computing it
  /// (for example the number of columns for the linear kernel); rows() where nothing is known.
  [[nodiscard]] virtual Index rank_bound() const { return rows(); }

  /// True where the training matrix is symmetric positive semidefinite by construction; it is then
  /// not tested for that.
  [[nodiscard]] virtual bool always_psd() const { return false; }

  /// True where the training matrix is positive semidefinite on vectors of sum 0 only: it is tested
  /// there, and never factored.
  [[nodiscard]] virtual bool definite_on_differences_only() const { return false; }

  /// Bytes that this source itself keeps alive beyond the data it shares with others.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }
};

using KernelSourcePtr = std::shared_ptr<const KernelSource>;

}  // namespace kernmix
