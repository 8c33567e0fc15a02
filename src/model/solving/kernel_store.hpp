#pragma once
/// \file
/// Kernels as solvers keep them and as the user gave them.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernmix/bank/plan.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/train.hpp"
#include "model/solving/stopwatch.hpp"
#include "problem/without_end.hpp"
#include "weights/memory.hpp"

namespace kernmix {

/// Begins the message of kernels that do not fit in memory and make a run long.
inline constexpr const char* storage_remark = "kernels beyond memory: ";

/// Memory of a solver in addition to the planned bank.
using MemoryBeside = std::function<SolverMemory(const MemoryPlan&)>;

/// The required accuracy of stored kernels.
struct Accuracy {
  double tolerance;  ///< of the relative gap on the kernels as the user gave them
  double largest_C;
  bool assume_psd = false;        ///< kernels are not tested
  bool double_precision = false;  ///< regardless of the tolerance
  bool on_exact = true;           ///< the kernels of the certificate, or the stored ones
  Index vectors = 1;              ///< dual vectors of a certificate
};

/// The plan of a future KernelStore. \param plan its data_bytes are the caller's
void plan_store(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
                const Accuracy& accuracy, const Context& context, MemoryPlan& plan);

/// Stored kernels on some samples, shared by successive runs.
struct StoredKernels {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  /// Further runs will follow: exact entries are kept in memory if they fit.
  bool for_later = false;
  std::unique_ptr<KernelBank> bank = nullptr;  ///< null before it is built
  bool double_precision = false;               ///< of the bank
  MemoryPlan plan = {};                        ///< of the bank
  std::unique_ptr<ReferenceKernels> exact = nullptr;
  std::vector<KernelSourcePtr> entries = {};  ///< exact kernels in memory, or empty
  std::size_t entry_bytes = 0;                ///< of these
  double seconds = 0.0;                       ///< that all of this took
  double storing_seconds = 0.0;               ///< of the bank

  /// Memory in addition to the plan of a run.
  [[nodiscard]] std::size_t bytes() const { return (bank ? plan.bank_bytes : 0) + entry_bytes; }
};

class KernelStore {
 public:
  /// Stores the kernels, in double precision if the tolerance requires it, unless they are stored
  /// in this precision already. More precise kernels are not used, because the result of a run must
  /// not depend on earlier runs.
  /// \param kernels, plan, seconds  filled in: the bank; the memory plan of the (last) bank, except
  /// for its data_bytes, which are the caller's; kernels
  /// \throws ResourceError if the plan exceeds the memory budget, DataError as build_bank
  KernelStore(StoredKernels& kernels, MemoryBeside memory, const Accuracy& accuracy,
              const Context& context, MemoryPlan& plan, Timings& seconds);

  /// Stores the kernels again if refine() removed them. \throws ResourceError if time runs out
  [[nodiscard]] const KernelBank& bank();
  /// The stored kernels or, if they were removed, the exact ones; does not fail.
  [[nodiscard]] const KernelBank& any_bank() {
    return kernels_.bank ? *kernels_.bank : exact().bank();
  }
  /// Built on first use.
  [[nodiscard]] const ReferenceKernels& exact();
  /// Stores the kernels in double precision if they are not. False if memory or time is
  /// insufficient.
  [[nodiscard]] bool refine();

  [[nodiscard]] Timings& seconds() { return seconds_; }
  [[nodiscard]] const Context& context() const { return context_; }
  /// The context for solving, with the memory that the data and exact kernels leave and an earlier
  /// deadline: the certificate reads all kernels again and must finish within the time limit, like
  /// the last pass over kernels that are not stored.
  [[nodiscard]] Context solving() const;
  /// Certificates that are still to come once the time limit is reached: 1 unless the answers of
  /// further tasks that time does not reach need one, too.
  void owe(Index certificates) { owed_ = certificates; }
  /// Memory that was freed goes back to the system, unless the bank is small: that would take
  /// longer than it saves, because what comes next needs the memory again.
  void return_freed() const;

 private:
  void store();
  void predict_certificate();
  void tell_of_evaluation() const;
  void require_time() const;
  void use_stored();

  StoredKernels& kernels_;
  MemoryBeside memory_;
  const Context& context_;
  MemoryPlan& plan_;
  Timings& seconds_;
  BankOptions options_;
  bool may_refine_ = true;
  bool on_exact_;
  Index vectors_;
  Index owed_ = 1;
  double pass_seconds_ = 0.0;     ///< of evaluating the kernels that are not stored
  double reserve_seconds_ = 0.0;  ///< for the last pass over these and for the certificate
  double entry_seconds_ = 0.0;    ///< of a certificate that reads all entries
};

[[nodiscard]] std::vector<std::string> kernel_names(const std::vector<KernelDescription>& kernels);

/// The status that follows from the certificate on the exact kernels.
/// \throws Error if the bounds contradict each other; DataError if they are not finite
[[nodiscard]] Status exact_status(const Bounds& certificate, Status on_bank, double tolerance);

}  // namespace kernmix
