#pragma once
/// \file
/// Answers to other settings on the same kernels, with which a run may begin.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/train.hpp"
#include "model/kernels/kernel_cache.hpp"
#include "model/solving/solve_tasks.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The starting points for later runs from a finished run, one for each part.
[[nodiscard]] std::vector<StartingPoint> starts_after(const TaskSet& set, const Model& model,
                                                      const TasksAnswer& answer,
                                                      const KernelCache& kernels);

class WarmStarts {
 public:
  void clear() { answers_.clear(); }
  /// \param parts from starts_after()
  void add(const TaskSet& set, const TrainOptions& options, std::vector<StartingPoint> parts);
  /// The starting points of the last run; empty before the first one.
  [[nodiscard]] std::vector<StartingPoint> last() const;
  /// Starting points for the parts of `set` from the answer to the most similar settings, the later
  /// one of ties; in double precision if any answer is, so that kernels are stored at most twice.
  /// Empty if no answer has these tasks.
  [[nodiscard]] std::vector<StartingPoint> nearest(const TaskSet& set,
                                                   const TrainOptions& options) const;

 private:
  struct Settings {
    TaskScheme scheme;
    std::optional<Coupling> sharing;
    std::vector<std::string> names;
    Regularizer regularizer;
    Loss loss;
    double C;
  };
  struct Entry {
    Settings settings;
    std::vector<StartingPoint> parts;
  };
  [[nodiscard]] static Settings settings_of(const TaskSet& set, const TrainOptions& options);
  /// Infinite if the tasks differ.
  [[nodiscard]] static double distance(const Settings& left, const Settings& right);

  std::vector<Entry> answers_;
};

}  // namespace kernmix
