#pragma once
/// \file
/// The memory of a bank, computed before it is built.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// How a StoredBank stores one kernel.
enum class StorageKind : std::uint8_t {
  packed32,  ///< lower triangle, single precision (products accumulate in double)
  packed64,  ///< lower triangle, double precision
  factor,    ///< K ~ X T X', with X, n x r, shared with similar kernels, double precision
  evaluated  ///< not stored: evaluated, or read from its file, in each pass
};
/// "packed32", "packed64", "factor" or "evaluated".
[[nodiscard]] std::string storage_name(StorageKind kind);

/// The memory of a bank and of solving on it, computed before the bank is stored.
struct MemoryPlan {
  struct Families;  ///< which kernels share a basis; internal to the bank
  struct Entry {
    StorageKind kind;
    Index rank;         ///< expected rank of this kernel for `factor`, 0 otherwise
    std::size_t bytes;  ///< of this kernel, with its share of a common basis
  };
  std::vector<Entry> kernels;
  std::shared_ptr<const Families> families;  ///< for build_bank
  std::size_t bank_bytes = 0;                ///< all kernels
  std::size_t data_bytes = 0;       ///< tables and matrices as given, and the columns of kernels
  std::size_t combined_bytes = 0;   ///< K(d) in the inner solver: n * n floats, or a factor of it
  std::size_t workspace_bytes = 0;  ///< largest workspace during construction and solving
  /// Triangles that one pass over evaluated kernels has in memory at a time, and triangles of those
  /// with weight, which stay; 0 where every kernel is stored.
  std::size_t batch_bytes = 0;
  std::size_t held_bytes = 0;
  std::size_t check_bytes = 0;  ///< part of it for tests of definiteness
  Index window_entries = 0;     ///< entries that a thread evaluates or reads at once
  /// What is needed with as many kernels `evaluated` as possible, where that is too much as well.
  std::size_t least_bytes = 0;
  [[nodiscard]] std::size_t total() const {
    return bank_bytes + data_bytes + combined_bytes + workspace_bytes + batch_bytes + held_bytes;
  }
};

struct BankOptions {
  bool double_precision = false;    ///< dense kernels in double instead of single precision
  double factor_tolerance = 1e-14;  ///< stop a factor at residual trace <= this * trace(K_m)
  bool check_psd = true;            ///< throw for a kernel that is not positive semidefinite
};

/// Plans the storage: packed or factor for each kernel, whichever needs fewer bytes, from rank
/// bounds and from incomplete Cholesky factorisations on at most 2048 evenly spaced samples.
[[nodiscard]] MemoryPlan plan_bank(const std::vector<KernelSourcePtr>& sources,
                                   const BankOptions& options, const Context& context);

/// Where a plan exceeds `context.memory_bytes`, the last dense kernels of all samples become
/// `evaluated`, and a quarter of the memory for dense kernels holds those of them that have weight.
/// If there is no room for a few triangles, only `least_bytes` changes.
void evaluate_anew(MemoryPlan& plan, Index n, bool double_precision, const Context& context);

/// Throws ResourceError with the numbers of the plan if it exceeds `context.memory_bytes`.
void require_memory(const MemoryPlan& plan, const Context& context);

[[nodiscard]] std::size_t packed_bytes(Index n, bool double_precision);

/// Whether most of the memory of the kernels is dense matrices, so that reading a kernel is
/// expensive.
[[nodiscard]] bool mostly_dense(Index n, Index kernels, std::size_t bank_bytes);

/// Maximum number of columns of the factor of a combination of all families.
[[nodiscard]] Index factor_columns(const MemoryPlan& plan);

/// Expected number of columns of the factor, without those that are negligible in the sum of all
/// kernels with equal weights; for families that were sketched with several kernels.
[[nodiscard]] Index expected_columns(const MemoryPlan& plan);

/// Whether the bank stores the columns of every combination (Combined::stored_columns).
[[nodiscard]] bool stores_columns(const MemoryPlan& plan);

/// Workspace for kernels in factors while the matrix K(d) is formed: their columns with
/// `entry_size` bytes for each number, and the factors of the cores of all families.
[[nodiscard]] std::size_t combination_bytes(const MemoryPlan& plan, Index n,
                                            std::size_t entry_size);

/// Workspace of building and reading the bank: the largest of partial sums of products, families
/// that are built concurrently (or the sketch that contains them), the parts of K(d) if it is a
/// matrix, and the workspace for building families beyond bank and K(d), which are allocated later;
/// and tiles on every thread. (The copy of K(d) for a shrunken SMO is reserved, but few
/// of its rows are used.)
[[nodiscard]] std::size_t bank_workspace_bytes(const MemoryPlan& plan, Index n,
                                               const Context& context);

}  // namespace kernmix
