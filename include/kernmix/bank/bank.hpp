#pragma once
/// \file
/// A kernel bank: M base kernels on the same n samples, answering the few questions that MKL asks.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

template <typename T>
struct Packed;

/// M symmetric n x n Gram matrices K_m, positive semidefinite, or on vectors of sum 0 only for
/// losses of distances. Solvers, certificates and models know this interface and nothing of
/// storage. Every product is multi-threaded (`context.threads`) and returns the same bits for any
/// number of threads.
class KernelBank {
 public:
  virtual ~KernelBank() = default;

  [[nodiscard]] virtual Index samples() const = 0;  ///< n
  [[nodiscard]] virtual Index kernels() const = 0;  ///< M

  /// q[m] = a' K_m a for all m. Only rows and columns with a[i] != 0 are read ("one pass").
  /// \param a  signed dual vector, length n
  /// \param q  length M, overwritten; rounding below zero is clamped to 0
  virtual void quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const = 0;

  /// q[k] = a' K_m a for m = subset[k], and K_m a at the support of a where a pass has it for
  /// nothing: dense kernels.
  /// \returns |subset| x |support|, row k is (K_m a)_i for a[i] != 0, i ascending; or empty
  [[nodiscard]] virtual Matrix forms_and_products(std::span<const Index> subset, ConstSpan a,
                                                  MutableSpan q, const Context& context) const {
    Vector all(static_cast<std::size_t>(kernels()));
    quadratic_forms(a, all, context);
    for (std::size_t k = 0; k < subset.size(); ++k) q[k] = all[static_cast<std::size_t>(subset[k])];
    return {};
  }

  /// z = K(d) a = sum_m d[m] K_m a; kernels with d[m] = 0 are not touched.
  /// \param d length M, d >= 0;  \param a length n;  \param z length n, overwritten
  virtual void apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const = 0;

  /// u[k * n + i] = (K_{subset[k]} a)_i for every kernel of `subset` and all samples i.
  virtual void apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                          const Context& context) const = 0;

  /// quadratic_forms of many vectors by one pass over the kernels: matrix products instead of T
  /// products with a vector.
  /// \param A  T x n, a vector a row;  \returns T x M, entry (t, m) = A_t K_m A_t' >= 0
  [[nodiscard]] virtual Matrix panel_forms(const Matrix& A, const Context& context) const;

  /// apply to many vectors by one pass over the kernels with d[m] > 0.
  /// \param A  T x n, a vector a row;  \returns T x n, A K(d)
  [[nodiscard]] virtual Matrix panel_product(ConstSpan d, const Matrix& A,
                                             const Context& context) const;

  /// K(d) = sum_m d[m] K_m as a full symmetric n x n row-major matrix in single precision
  /// (summed in double where a sum is long). Kernels with d[m] = 0 are not touched.
  /// \param out length n * n, overwritten
  virtual void combine(ConstSpan d, std::span<float> out, const Context& context) const = 0;

  /// The columns of a factor of K_m that combine() multiplies; 0 where it does not.
  [[nodiscard]] virtual Index columns_to_combine(Index /*m*/) const { return 0; }

  /// K(d) restricted to rows and columns `index`, in double, row-major |index| x |index|.
  virtual void combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                             const Context& context) const = 0;

  /// The same in single precision, as combine() has it.
  /// \param samples  ascending;  \param out  length |samples|^2, overwritten
  virtual void combine_part(ConstSpan d, std::span<const Index> samples, std::span<float> out,
                            const Context& context) const;

  /// out[k] = the lower triangle of K_{subset[k]}, packed by rows, of n (n + 1) / 2 entries: row i
  /// holds columns 0 .. i.
  virtual void triangles(std::span<const Index> subset, std::span<const std::span<float>> out,
                         const Context& context) const;
  /// The triangle of K_m where the bank keeps it in single precision, to be shared and not to be
  /// written; else null.
  [[nodiscard]] virtual const Packed<float>* stored_triangle(Index /*m*/) const { return nullptr; }

  /// L' of K_{subset[k]} = L L' in single precision, r x n row-major, where the bank keeps the
  /// kernel as a factor and no more exactly than that; empty elsewhere.
  [[nodiscard]] virtual std::vector<std::vector<float>> single_factors(
      std::span<const Index> subset, const Context& context) const;

  /// The same kernels on `samples` (ascending), kept as they are here; null where that takes more
  /// than copying.
  [[nodiscard]] virtual std::unique_ptr<KernelBank> on_samples(std::span<const Index> samples,
                                                               const Context& context) const;

  /// The number of columns that combined_factor(d) would have at most, or -1 when some kernel with
  /// d[m] > 0 is not kept as a factor.
  [[nodiscard]] virtual Index factor_columns(ConstSpan d) const;

  /// Z, n x r row-major with K(d) = Z Z' (up to the bank's factor error), r <= factor_columns(d).
  [[nodiscard]] virtual Matrix combined_factor(ConstSpan d, const Context& context) const;

  /// out = K_m[rows, cols], in double, row-major |rows| x |cols|. Serial: many blocks at once are
  /// for the caller to share out among threads.
  virtual void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
                     MutableSpan out) const = 0;

  /// Bytes held by the stored kernels.
  [[nodiscard]] virtual std::size_t bytes() const = 0;
};

/// How one kernel is kept in a StoredBank.
enum class StorageKind : std::uint8_t {
  packed32,  ///< lower triangle, single precision (products accumulate in double)
  packed64,  ///< lower triangle, double precision
  factor     ///< K ~ X T X', X of n x r shared with kernels like it, double precision
};

struct FamilySketches;

/// What storing a bank will take, computed before it is.
struct MemoryPlan {
  struct Entry {
    StorageKind kind;
    Index rank;         ///< expected rank of this kernel for `factor`, 0 otherwise
    std::size_t bytes;  ///< for this kernel, with its share of what it has in common with others
  };
  std::vector<Entry> kernels;
  std::shared_ptr<const FamilySketches> families;  ///< which kernels share a basis, for build_bank
  std::size_t bank_bytes = 0;                      ///< all kernels
  std::size_t data_bytes = 0;       ///< tables and matrices as given, and the columns of kernels
  std::size_t combined_bytes = 0;   ///< K(d) in the inner solver: n * n floats, or a factor of it
  std::size_t workspace_bytes = 0;  ///< largest scratch during construction and solving
  std::size_t check_bytes = 0;      ///< of that, kernels while they are tested for definiteness
  Index window_entries = 0;         ///< that a thread evaluates or reads at once
  [[nodiscard]] std::size_t total() const {
    return bank_bytes + data_bytes + combined_bytes + workspace_bytes;
  }
};

struct BankOptions {
  bool double_precision = false;    ///< dense kernels in double instead of single precision
  double factor_tolerance = 1e-14;  ///< stop a factor at residual trace <= this * trace(K_m)
  bool check_psd = true;            ///< refuse a kernel that is not positive semidefinite
};

/// Plans the storage: packed or factor for each kernel, whichever needs fewer bytes, from rank
/// bounds and from incomplete Cholesky factorisations on at most 2048 evenly spaced samples.
[[nodiscard]] MemoryPlan plan_bank(const std::vector<KernelSourcePtr>& sources,
                                   const BankOptions& options, const Context& context);

/// Throws ResourceError with the numbers of the plan when it exceeds `context.memory_bytes`.
void require_memory(const MemoryPlan& plan, const Context& context);

/// Computes and stores all kernels. Reports progress in stage "kernels".
/// \param names  one name per kernel, for error messages
/// \throws ResourceError when the plan exceeds the memory budget
/// \throws DataError when a kernel is not finite, not symmetric or not positive semidefinite;
///         the message names the kernel and, for the last, its smallest eigenvalue
[[nodiscard]] std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                                     const std::vector<std::string>& names,
                                                     const BankOptions& options,
                                                     const Context& context);

/// The same, stored as `plan` says (of plan_bank for the same sources and options).
[[nodiscard]] std::unique_ptr<KernelBank> build_bank(const std::vector<KernelSourcePtr>& sources,
                                                     const std::vector<std::string>& names,
                                                     const BankOptions& options, MemoryPlan plan,
                                                     const Context& context);

/// A bank that stores nothing and evaluates every entry in double when it is asked for: the kernels
/// exactly as the user gave them. Slow and small; certificates that are reported come from it.
[[nodiscard]] std::unique_ptr<KernelBank> exact_bank(std::vector<KernelSourcePtr> sources);

/// A bank around dense symmetric matrices that the caller hands over (each n x n, row-major),
/// stored in double precision. For tests, C++ users with their own Gram matrices, and benchmarks.
[[nodiscard]] std::unique_ptr<KernelBank> dense_bank(std::vector<Matrix> gram_matrices);

}  // namespace kernmix
