#pragma once
/// \file
/// The memory budget, for solvers that keep more than a few vectors.

#include <cstddef>
#include <string>

#include "kernmix/bank/plan.hpp"
#include "kernmix/context.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"

namespace kernmix {

/// What solving takes beside the bank.
struct SolverMemory {
  std::size_t combined;   ///< K(d) in the inner solver
  std::size_t workspace;  ///< the weight model of Newton's method, or interior point steps
  /// Beside these, that K(d) is made from, where there is room for them.
  std::size_t triangles = 0;
  bool on_factor = false;  ///< K(d) is a factor in double precision
};

/// n^2 numbers for K(d), or a factor of it as `plan` says, and triangles of factors that are
/// combined again and again. The model of W kernels on F free samples holds S_F, factorised in
/// place (in single precision from SMO's matrix; or F rows of the factor of K(d) and what they
/// leave), products K_m a, and two copies of their rows in F: F^2 + 64 n + 2 W F numbers, and that
/// of a saddle point two more in its own variables. Every sample is free where the dual is smooth,
/// and may be where nothing keeps it from growing. Elsewhere half of them is what we expect, or as
/// many as the rank of all kernels together, which `plan` knows; more is possible. Interior point
/// steps need more where samples are few, a part of the samples where kernels are many. Beside any
/// of these there are the dual vectors, weights and forms of cutting planes.
[[nodiscard]] SolverMemory expected_solver_memory(const Loss& loss, const Regularizer& regularizer,
                                                  Index n, const MemoryPlan& plan,
                                                  const Context& context);

/// Sizes of many tasks.
struct TasksShape {
  Index samples;      ///< n of the bank
  Index kernels;      ///< M
  Index tasks;        ///< T
  Index rows;         ///< samples of all tasks, one after the other: T n but for one-vs-one
  Index moments = 0;  ///< that are kept (SolverOptions)
};

/// Dual vectors, weights and forms of answers that are kept until the model is made.
[[nodiscard]] std::size_t kept_answer_bytes(const TasksShape& shape);

/// The same for solve and its certificate: K(d) once in either precision and once more for every
/// task that is solved at the same time, vectors and forms of every task, panels of T vectors
/// with their partial sums, cuts, and the weight model of `newton` with the factors of all tasks.
[[nodiscard]] SolverMemory expected_shared_memory(const TasksShape& shape, const Loss& loss,
                                                  const Regularizer& regularizer,
                                                  const MemoryPlan& plan, const Context& context);

/// The same for classes trained together and their certificate: K(d) in double precision, the
/// Newton systems of the SVM of all classes with F free directions, of which there were at most 9/4
/// n with 5 and 1.5 n with 20 classes (more than (K - 1) n there are not), its dual matrices,
/// panels with their partial sums, and the weight model of `newton`.
[[nodiscard]] SolverMemory expected_joint_memory(const TasksShape& shape,
                                                 const Regularizer& regularizer);

/// Throws ResourceError unless bytes <= context.memory_bytes - bank.bytes(). `what` needs them, as
/// in "solver smo-mkl keeps K_m a for every kernel".
void require_room(const KernelBank& bank, std::size_t bytes, const std::string& what,
                  const Context& context);

}  // namespace kernmix
