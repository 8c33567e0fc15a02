#pragma once
/// \file
/// Kernels as solvers keep them and as the user gave them, and the loop that makes both agree.

#include <fmt/format.h>

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
  bool assume_psd = false;  ///< kernels are not tested
};

/// The plan of a KernelStore, before there is one. \param plan  its data_bytes are the caller's
void plan_store(const std::vector<KernelSourcePtr>& sources, const MemoryBeside& memory,
                const Accuracy& accuracy, const Context& context, MemoryPlan& plan);

class KernelStore {
 public:
  /// Stores the kernels, in double precision where the tolerance is too small for less.
  /// \param plan, seconds  filled in: the memory plan of the (last) bank, except for its
  /// data_bytes, which are the caller's; kernels
  /// \throws ResourceError when the plan exceeds the memory budget, DataError as build_bank
  KernelStore(std::vector<KernelSourcePtr> sources, std::vector<std::string> names,
              MemoryBeside memory, const Accuracy& accuracy, const Context& context,
              MemoryPlan& plan, Timings& seconds);

  /// Stored again where refine() had no room for it. \throws ResourceError where time is up
  [[nodiscard]] const KernelBank& bank();
  /// The stored kernels or, where there are none any more, the exact ones: never refused.
  [[nodiscard]] const KernelBank& any_bank() { return bank_ ? *bank_ : exact().bank(); }
  /// Made when it is first asked for.
  [[nodiscard]] const ReferenceKernels& exact();
  /// Stores the kernels in double precision if they are not. False where there is no room or time.
  [[nodiscard]] bool refine();

  [[nodiscard]] Timings& seconds() { return seconds_; }
  [[nodiscard]] const Context& context() const { return context_; }
  /// The same for solving, which ends earlier: the certificate evaluates every kernel once more,
  /// as storing it did, and is due within the time limit.
  [[nodiscard]] Context solving() const;

 private:
  void store();

  std::vector<KernelSourcePtr> sources_;
  std::vector<std::string> names_;
  MemoryBeside memory_;
  const Context& context_;
  MemoryPlan& plan_;
  Timings& seconds_;
  BankOptions options_;
  bool may_refine_ = true;
  double storing_seconds_ = 0.0;  ///< of the last time
  std::unique_ptr<KernelBank> bank_;
  std::unique_ptr<ReferenceKernels> exact_;
};

[[nodiscard]] std::vector<std::string> kernel_names(const std::vector<KernelDescription>& kernels);

/// The status that follows from the certificate on the exact kernels.
/// \throws Error where the bounds contradict each other; DataError where they are not finite
[[nodiscard]] Status exact_status(const Bounds& certificate, Status on_bank, double tolerance);

/// Keeps the better answer, and the history and counts of both.
template <typename Answer>
void add_attempt(Answer& best, Answer next, double seconds_before) {
  auto history = std::move(best.solution.history);
  const auto steps = length(history);
  const Answer& first = best;
  const auto passes = first.solution.bank_passes;
  const auto inner = first.solution.inner_iterations;
  for (auto step : next.solution.history) {
    step.number += steps;
    step.bank_passes += passes;
    step.inner_iterations += inner;
    step.seconds += seconds_before;
    if constexpr (requires { step.svm_solves; }) step.svm_solves += best.solution.svm_solves;
    history.push_back(std::move(step));
  }
  if constexpr (requires { next.solution.moments; }) {
    for (auto& moment : next.solution.moments) {
      moment.seconds += seconds_before;
      moment.svm_solves += best.solution.svm_solves;
      best.solution.moments.push_back(std::move(moment));
    }
    next.solution.moments = std::move(best.solution.moments);
  }
  next.solution.bank_passes += passes;
  next.solution.inner_iterations += inner;
  best.solution.bank_passes = next.solution.bank_passes;
  best.solution.inner_iterations = next.solution.inner_iterations;
  if constexpr (requires { next.solution.svm_solves; }) {
    next.solution.svm_solves += best.solution.svm_solves;
    best.solution.svm_solves = next.solution.svm_solves;
  }
  best.converged_on_bank = next.converged_on_bank;
  const bool better =
      next.exact.certificate.relative_gap() <= best.exact.certificate.relative_gap();
  if constexpr (requires { next.solution.moments; }) {
    if (!better) best.solution.moments = std::move(next.solution.moments);
  }
  if (better) best = std::move(next);
  best.solution.history = std::move(history);
}

/// solve(), then certify(its solution), both timed.
template <typename Solve, typename Certify>
[[nodiscard]] auto solve_and_certify(Timings& seconds, const Solve& solve, const Certify& certify) {
  const Stopwatch solving;
  auto solution = solve();
  seconds.solve += solving.seconds();
  const Stopwatch certifying;
  auto answer = certify(std::move(solution));
  seconds.certify += certifying.seconds();
  return answer;
}

/// A solver that converged on rounded or factored kernels may miss the tolerance on the exact ones;
/// it is then run again, in double precision and to a smaller tolerance, at most twice. An answer
/// that still misses it is called stalled.
/// \param attempt  options -> an answer with `solution`, whose status is that on the exact kernels,
///                 `exact` with its certificate there, and `converged_on_bank`
template <typename Attempt>
[[nodiscard]] auto solve_until_exact(KernelStore& store, const SolverOptions& options,
                                     const Attempt& attempt) {
  constexpr int most_attempts = 3;
  constexpr double tightening = 0.25;
  SolverOptions tighter = options;
  auto best = attempt(options);
  for (int k = 1; k < most_attempts; ++k) {
    // Only what the stored kernels hid is worth another attempt, not a solver that stalled on them.
    if (best.solution.status != Status::stalled || !best.converged_on_bank) break;
    if (store.context().should_stop()) break;
    const Bounds& found = best.exact.certificate;
    if (found.slack > options.tolerance * found.size()) {
      store.context().tell(fmt::format(
          "rounding alone leaves a relative gap of {:.3g}: the tolerance {:.3g} is out of reach",
          found.slack / found.size(), options.tolerance));
      break;
    }
    store.context().tell(
        fmt::format("relative gap {:.3g} on the exact kernels misses {:.3g}: solving again",
                    best.exact.certificate.relative_gap(), options.tolerance));
    tighter.tolerance *= tightening;
    if (!store.refine()) break;
    const double seconds_before = store.seconds().solve;
    add_attempt(best, attempt(tighter), seconds_before);
  }
  return best;
}

}  // namespace kernmix
