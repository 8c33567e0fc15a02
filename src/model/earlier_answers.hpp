#pragma once
/// \file
/// Answers to other settings on the same kernels, with which a run may begin.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/train.hpp"
#include "model/kernels/kept_kernels.hpp"
#include "model/solving/solve_tasks.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// What a run that ended leaves to others, of each part.
[[nodiscard]] std::vector<StartingPoint> starts_after(const TaskSet& set, const Model& model,
                                                      const TasksAnswer& answer,
                                                      const KeptKernels& kernels);

class EarlierAnswers {
 public:
  void clear() { answers_.clear(); }
  /// \param parts  what starts_after() says of the run
  void add(const TaskSet& set, const TrainOptions& options, std::vector<StartingPoint> parts);
  /// Those of the last run; empty before the first.
  [[nodiscard]] std::vector<StartingPoint> last() const;
  /// Starts of the parts of `set` from the answer to the most similar settings, the later of two;
  /// in double precision where any answer is, so that kernels are stored twice at most. None where
  /// no answer is of such tasks.
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
  /// Infinite where the tasks differ.
  [[nodiscard]] static double distance(const Settings& left, const Settings& right);

  std::vector<Entry> answers_;
};

}  // namespace kernmix
