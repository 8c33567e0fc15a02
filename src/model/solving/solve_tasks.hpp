#pragma once
/// \file
/// Solves all tasks, however their weights are coupled, and certifies the answer.

#include <optional>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/train.hpp"
#include "model/kernels/kernel_cache.hpp"
#include "model/solving/certified_solve.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The certificate of one task, or of one class of a joint model.
struct TaskCertificate {
  Vector z = {};        ///< sum_m f_m(x_i) of its samples, without bias
  Vector q = {};        ///< a' K_m a, length M
  double bias = 0.0;    ///< the optimal one
  double primal = 0.0;  ///< as of TaskModel
  double gap = 0.0;
};

/// The certificate of all tasks, from the certificates of their problems.
struct TasksCertificate {
  Bounds bounds;           ///< for separate tasks: sums
  double worst_gap = 0.0;  ///< the largest relative gap of a problem
  std::vector<TaskCertificate> tasks;

  /// Adds the next tasks.
  void add(const Problem& problem, const CertifiedPoint& point);
};

struct TasksAnswer {
  Matrix weights;               ///< 1 x M, shared, or tasks x M, separate
  std::vector<Vector> a;        ///< dual vector of each task on its rows
  std::vector<Vector> witness;  ///< a second one of each, or empty
  Vector gamma;
  TasksCertificate certificate;  ///< on the exact kernels, or as Proof says
  std::string solver;
};

/// The answer at one iteration of a run, for prediction: its certificate has only the optimal
/// biases.
struct SnapshotAnswer {
  double seconds = 0.0;
  Index svm_solves = 0;
  TasksAnswer answer;
};

/// The kernels of the certificate of an answer.
enum class Proof { on_exact_kernels, on_stored_kernels };

struct TasksOptions {
  const SolverOptions& solver;
  Proof proof = Proof::on_exact_kernels;
};

/// The memory of solving a part of the tasks, beside its stored kernels.
/// \param moments  SolverOptions::moments
[[nodiscard]] SolverMemory tasks_memory(const TaskSet& set, Index moments, Index part,
                                        const MemoryPlan& plan, const Context& context);

/// Shared weights, a joint problem of all classes, or separate weights. When time runs out, the
/// remaining tasks get untrained answers.
class TasksRun {
 public:
  /// \param starts  of each part, or none
  /// \param result  its status, history, counts, plan and seconds are filled in; borrowed like all
  TasksRun(const TaskSet& set, KernelCache& kernels, const TasksOptions& options,
           const std::vector<StartingPoint>& starts, const Context& context, TrainResult& result);

  [[nodiscard]] const TasksAnswer& answer() const { return answer_; }
  /// Snapshots if options.moments requests them, for shared weights.
  [[nodiscard]] const std::vector<SnapshotAnswer>& moments() const { return moments_; }

 private:
  [[nodiscard]] SolverMemory memory(Index part, const MemoryPlan& plan) const {
    SolverMemory needed = tasks_memory(set_, options_.moments, part, plan, context_);
    if (proof_ == Proof::on_stored_kernels) needed.certificate = 0;
    return needed;
  }
  [[nodiscard]] Accuracy accuracy(Index part) const;
  [[nodiscard]] KernelStore store(Index part, MemoryPlan& plan);
  void plan_largest_pair();
  [[nodiscard]] bool is_late() const;
  void reserve(Index part, KernelStore& store);
  void solve_part(Index part, KernelStore& store);
  [[nodiscard]] bool solved_in_time(Index part, KernelStore& store);
  void solve_pair(Index part);
  void add_untrained(Index part, const ReferenceKernels& exact);
  void add(Index part, const Problem& problem, CertifiedAnswer found);
  void add_history(Index part, Answer& solution);
  void add_moment(const Problem& problem, Snapshot moment);

  const TaskSet& set_;
  KernelCache& kernels_;
  const SolverOptions& options_;
  const Proof proof_;
  const std::vector<StartingPoint>& starts_;
  const Context& context_;
  TrainResult& result_;
  TasksAnswer answer_;
  std::vector<SnapshotAnswer> moments_;
  double seconds_before_ = 0.0;  ///< spent on other tasks
  /// Tasks that time does not reach need certificates that evaluate kernels.
  bool owes_untrained_ = false;
  std::optional<Context> solving_;  ///< that of the last part
};

}  // namespace kernmix
