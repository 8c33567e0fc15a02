#pragma once
/// \file
/// What a bank will take, before it is built.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// How one kernel is kept in a StoredBank.
enum class StorageKind : std::uint8_t {
  packed32,  ///< lower triangle, single precision (products accumulate in double)
  packed64,  ///< lower triangle, double precision
  factor     ///< K ~ X T X', X of n x r shared with kernels like it, double precision
};
/// "packed32", "packed64" or "factor".
[[nodiscard]] std::string storage_name(StorageKind kind);

/// What storing a bank will take, computed before it is.
struct MemoryPlan {
  struct Families;  ///< which kernels share a basis: the bank's own
  struct Entry {
    StorageKind kind;
    Index rank;         ///< expected rank of this kernel for `factor`, 0 otherwise
    std::size_t bytes;  ///< for this kernel, with its share of what it has in common with others
  };
  std::vector<Entry> kernels;
  std::shared_ptr<const Families> families;  ///< for build_bank
  std::size_t bank_bytes = 0;                ///< all kernels
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

[[nodiscard]] std::size_t packed_bytes(Index n, bool double_precision);

/// Whether most of what the kernels take is whole matrices, so that each is dear to read.
[[nodiscard]] bool mostly_dense(Index n, Index kernels, std::size_t bank_bytes);

/// Columns that the factor of a combination of all families has at most.
[[nodiscard]] Index factor_columns(const MemoryPlan& plan);

/// Columns that the factor is expected to have, without those that are negligible in the even sum
/// of all kernels: of families that were sketched with several kernels.
[[nodiscard]] Index expected_columns(const MemoryPlan& plan);

/// What is made of the kernels in factors while the matrix K(d) is: their columns with `entry_size`
/// bytes a number, beside the factors of the cores of all families.
[[nodiscard]] std::size_t combination_bytes(const MemoryPlan& plan, Index n,
                                            std::size_t entry_size);

/// Scratch of building the bank and of reading it: the largest of partial sums of products, the
/// families that grow at the same time (or the sketch, where it holds them already), what K(d) is
/// made from where it is a matrix, what finding families held beyond bank and K(d), which were not
/// there yet; and tiles on every thread. (What a shrunken SMO copies of K(d) is reserved, but few
/// of its rows are touched.)
[[nodiscard]] std::size_t bank_workspace_bytes(const MemoryPlan& plan, Index n,
                                               const Context& context);

}  // namespace kernmix
