#pragma once
/// \file
/// Small random problems of several tasks on the same kernels, for tests.

#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "kernmix/bank/build.hpp"
#include "kernmix/certificate.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {

inline constexpr double kInfinityOfTasks = std::numeric_limits<double>::infinity();

/// Tasks together with the bank that they borrow.
struct OwnedTasks {
  std::unique_ptr<KernelBank> bank;
  std::vector<Task> tasks;

  [[nodiscard]] Problem with(Coupling sharing, const Regularizer& regularizer = L1{},
                             const Loss& loss = Hinge{}, Bias bias = Bias::free) const {
    return {*bank, loss, with_default_groups(regularizer, bank->kernels()), tasks, sharing, bias};
  }
  /// Task k as a problem of its own; its rows must be all.
  [[nodiscard]] Problem alone(Index k, const Regularizer& regularizer = L1{},
                              const Loss& loss = Hinge{}, Bias bias = Bias::free) const {
    const Task& task = tasks[static_cast<std::size_t>(k)];
    return {*bank, loss, with_default_groups(regularizer, bank->kernels()), task.y, task.C, bias};
  }
};

/// T tasks whose targets depend on two columns each, task k mostly on column k; the later, the
/// noisier.
[[nodiscard]] inline OwnedTasks random_tasks(unsigned seed, Index T, Index n, Index columns,
                                             double C, const Loss& loss = Hinge{}) {
  const RandomData data(seed, n, columns);
  OwnedTasks owned{dense_bank(data.kernels()), {}};
  std::mt19937 engine(seed + 1000);
  std::normal_distribution<double> normal;
  for (Index k = 0; k < T; ++k) {
    Task task{Vector(data.y.size()), Vector(data.y.size(), C), {}};
    const double noise = 0.2 + 0.8 * static_cast<double>(k) / static_cast<double>(T);
    for (Index i = 0; i < n; ++i) {
      const double score =
          data.X(i, k % columns) + 0.3 * data.X(i, (k + 1) % columns) + noise * normal(engine);
      const bool classes = loss_target(loss) == Target::classes;
      task.y[static_cast<std::size_t>(i)] = !classes ? score : score > 0.0 ? 1.0 : -1.0;
    }
    if (loss_target(loss) == Target::classes) {
      task.y[0] = 1.0;
      task.y[1] = -1.0;
    }
    owned.tasks.push_back(std::move(task));
  }
  return owned;
}

/// Every task on the samples of two of three classes, as one-vs-one has it.
[[nodiscard]] inline OwnedTasks pair_tasks(unsigned seed, Index n, Index columns, double C) {
  const RandomData data(seed, n, columns);
  OwnedTasks owned{dense_bank(data.kernels()), {}};
  const auto label = [&](Index i) {
    const double x = data.X(i, 0);
    return x < -0.4 ? 0 : x < 0.4 ? 1 : 2;
  };
  for (const auto& [first, second] : std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}}) {
    Task task;
    for (Index i = 0; i < n; ++i) {
      if (label(i) != first && label(i) != second) continue;
      task.rows.push_back(i);
      task.y.push_back(label(i) == first ? 1.0 : -1.0);
      task.C.push_back(C);
    }
    owned.tasks.push_back(std::move(task));
  }
  return owned;
}

}  // namespace kernmix::testing
