#pragma once
/// \file
/// Memory requirements of solvers that keep more than a few vectors, and the check against the
/// budget.

#include <cstddef>
#include <string>

#include "kernmix/bank/plan.hpp"
#include "kernmix/context.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"

namespace kernmix {

/// The memory of a solve in addition to the bank.
struct SolverMemory {
  std::size_t combined;   ///< K(d) in the inner solver
  std::size_t workspace;  ///< weight model of Newton's method, or interior point steps
  /// Cached triangles from which K(d) is combined, if the budget has room for them in addition.
  std::size_t triangles = 0;
  std::size_t certificate = 0;  ///< on exact kernels, when K(d) is gone
  bool on_factor = false;       ///< K(d) is stored as a factor in double precision
};

/// The memory consists of n^2 numbers for K(d), or a factor of it according to `plan`, plus the
/// triangles of factors that are combined repeatedly. The model of W kernels on F free samples
/// stores S_F, factorised in place (in single precision from SMO's matrix, or as F rows of the
/// factor of K(d) and the triangles of its QR factorisation), products K_m a, and two copies of
/// their rows in F. This takes F^2 + 64 n + 2 W F numbers, and the model of a saddle point stores
/// two more copies in its own variables.
///
/// Every sample is free if the dual is smooth, and may be free if no dual variable has a bound
/// other than 0. Otherwise the estimate of F is n / 2 or the joint rank of all kernels according to
/// `plan`, whichever is smaller; F can exceed this estimate. Interior point steps need more memory
/// if there are few samples, and the subproblem on a part of the samples needs more if there are
/// many kernels. In addition, the cutting planes store dual vectors, weights and forms.
[[nodiscard]] SolverMemory expected_solver_memory(const Loss& loss, const Regularizer& regularizer,
                                                  Index n, const MemoryPlan& plan,
                                                  const Context& context);

/// The dimensions of a problem with several tasks.
struct TasksShape {
  Index samples;      ///< n of the bank
  Index kernels;      ///< M
  Index tasks;        ///< T
  Index rows;         ///< samples of all tasks in total: T n except for one-vs-one
  Index moments = 0;  ///< number of stored snapshots (SolverOptions)
};

/// The dual vectors, weights and forms of answers that are stored until the model is built.
[[nodiscard]] std::size_t kept_answer_bytes(const TasksShape& shape);

/// Like expected_solver_memory(), for several tasks and their certificate: K(d) once in each
/// precision and once more for every task that is solved concurrently, vectors and forms of every
/// task, panels of T vectors with their partial sums, cuts, and the weight model of `newton` with
/// the factors of all tasks.
[[nodiscard]] SolverMemory expected_shared_memory(const TasksShape& shape, const Loss& loss,
                                                  const Regularizer& regularizer,
                                                  const MemoryPlan& plan, const Context& context);

/// Like expected_solver_memory(), for jointly trained classes and their certificate: K(d) in double
/// precision, the Newton systems of the joint SVM with F free directions, its dual matrices, panels
/// with their partial sums, and the weight model of `newton`. In experiments, F was at most 9/4 n
/// with 5 and 1.5 n with 20 classes; (K - 1) n is an upper bound.
[[nodiscard]] SolverMemory expected_joint_memory(const TasksShape& shape,
                                                 const Regularizer& regularizer);

/// Throws ResourceError unless bytes <= context.memory_bytes - bank.bytes(). `what` names the
/// purpose, as in "solver smo-mkl keeps K_m a for every kernel".
void require_room(const KernelBank& bank, std::size_t bytes, const std::string& what,
                  const Context& context);

}  // namespace kernmix
