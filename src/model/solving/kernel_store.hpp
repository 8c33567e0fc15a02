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
#include "weights/memory.hpp"

namespace kernmix {

/// The certificate is owed however the solver ended: it is not cut short by a deadline.
[[nodiscard]] Context without_end(Context context);

/// What solving takes beside the bank that is planned.
using MemoryBeside = std::function<SolverMemory(const MemoryPlan&)>;

/// What an answer asks of the kernels that it is found on.
struct Accuracy {
  double tolerance;  ///< of the relative gap on the kernels as the user gave them
  double largest_C;
  bool assume_psd = false;        ///< kernels are not tested
  bool double_precision = false;  ///< whatever the tolerance
};

/// The plan of a KernelStore, before there is one. \param plan  its data_bytes are the caller's
void plan_store(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
                const Accuracy& accuracy, const Context& context, MemoryPlan& plan);

/// Kernels on the same samples and what is made of them, which may serve more than one run.
struct StoredKernels {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  /// Other runs will come: they find in memory, where that has room, what they would evaluate.
  bool for_later = false;
  std::unique_ptr<KernelBank> bank = nullptr;  ///< null before it is made
  bool double_precision = false;               ///< of the bank
  MemoryPlan plan = {};                        ///< of the bank
  std::unique_ptr<ReferenceKernels> exact = nullptr;
  std::vector<KernelSourcePtr> entries = {};  ///< exact kernels in memory; empty: they are not
  std::size_t entry_bytes = 0;                ///< of these
  double seconds = 0.0;                       ///< that all of this took

  /// Beside what a run plans for itself.
  [[nodiscard]] std::size_t bytes() const { return (bank ? plan.bank_bytes : 0) + entry_bytes; }
};

class KernelStore {
 public:
  /// Stores the kernels, in double precision where the tolerance is too small for less; unless they
  /// are stored so already. More precise ones will not do: what a run answers must not depend on
  /// what others left.
  /// \param kernels, plan, seconds  filled in: the bank; the memory plan of the (last) bank, except
  /// for its data_bytes, which are the caller's; kernels
  /// \throws ResourceError when the plan exceeds the memory budget, DataError as build_bank
  KernelStore(StoredKernels& kernels, MemoryBeside memory, const Accuracy& accuracy,
              const Context& context, MemoryPlan& plan, Timings& seconds);

  /// Stored again where refine() had no room for it. \throws ResourceError where time is up
  [[nodiscard]] const KernelBank& bank();
  /// The stored kernels or, where there are none any more, the exact ones: never refused.
  [[nodiscard]] const KernelBank& any_bank() {
    return kernels_.bank ? *kernels_.bank : exact().bank();
  }
  /// Made when it is first asked for.
  [[nodiscard]] const ReferenceKernels& exact();
  /// Stores the kernels in double precision if they are not. False where there is no room or time.
  [[nodiscard]] bool refine();

  [[nodiscard]] Timings& seconds() { return seconds_; }
  [[nodiscard]] const Context& context() const { return context_; }
  /// The same for solving, beside the data and exact kernels, which ends earlier: the certificate
  /// evaluates every kernel once more, as storing it did, and is due within the time limit.
  [[nodiscard]] Context solving() const;

 private:
  void store();
  void use_stored();

  StoredKernels& kernels_;
  MemoryBeside memory_;
  const Context& context_;
  MemoryPlan& plan_;
  Timings& seconds_;
  BankOptions options_;
  bool may_refine_ = true;
  double storing_seconds_ = 0.0;  ///< of the last time
};

[[nodiscard]] std::vector<std::string> kernel_names(const std::vector<KernelDescription>& kernels);

/// The status that follows from the certificate on the exact kernels.
/// \throws Error where the bounds contradict each other; DataError where they are not finite
[[nodiscard]] Status exact_status(const Bounds& certificate, Status on_bank, double tolerance);

}  // namespace kernmix
