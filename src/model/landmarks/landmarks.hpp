#pragma once
/// \file
/// The landmarks of a training run: which samples they are, and kernels of them.

#include <optional>
#include <vector>

#include "kernmix/train.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// Begins the line of Context::log with SettledLandmarks::note.
inline constexpr const char* landmark_remark = "landmarks: ";

/// A part of the samples takes at most its own number, so studies ask this of all samples.
/// \throws ParameterError for more landmarks than samples
void check_landmark_count(const LandmarkRule& rule, Index samples);

/// The ids of a rule that lists them. \throws DataError if its file has none
[[nodiscard]] std::vector<std::string> listed_ids(const LandmarkRule& rule, const Context& context);

/// The sentence on a listed id that the table lacks.
[[nodiscard]] std::string no_training_sample(const std::string& id, const Table& table);

/// A rule that is not automatic.
struct SettledLandmarks {
  LandmarkRule rule;
  /// Of landmarks that were not asked for: how many, why, what to do for more; of none, where
  /// training takes minutes, how long, and which landmarks take less.
  std::string note;
};
/// An automatic rule becomes a number, or none where the kernels as written fit the memory budget
/// or no landmark does.
/// \throws as add_landmarks() for kernels, losses and combinations
[[nodiscard]] SettledLandmarks settle_landmarks(const Dataset& data, const TrainOptions& options,
                                                const TaskSet& set, const Context& context,
                                                const TrainingKernels& kernels);

/// Reads the file with the ids of landmarks, if the rule names one, so that many trainings begin
/// with a file that is right. \throws DataError naming the file
void require_landmark_file(const LandmarkRule& rule, const Context& context);

/// Replaces the kernels by those of the landmarks that the options ask for, if they ask for any.
/// \throws ParameterError for kernels, losses or combinations that landmarks cannot serve, naming
/// the first; DataError for landmarks that the data does not have
void add_landmarks(const Dataset& data, const TrainOptions& options, const TaskSet& set,
                   const Context& context, TrainingKernels& kernels);

/// Replaces the kernels by those of the landmarks; `exact` keeps them.
void use_landmarks(std::vector<Index> landmarks, TrainingKernels& kernels, const Context& context);

/// sum_p W_k(m, p) k_m(x_p, .): W_k of each task. \param a  of each, on its rows
[[nodiscard]] std::vector<Matrix> landmark_coefficients(const TrainingKernels& kernels,
                                                        const TaskSet& set,
                                                        const std::vector<Vector>& a,
                                                        const Context& context);

/// W_k(m, .) of all tasks, R x T.
[[nodiscard]] Matrix landmark_weights(const LandmarkFunctions& landmarks, Index m);

/// What is added to the diagonal of each K_m[P, P].
[[nodiscard]] Vector jitter_of(const TrainingKernels& kernels);

/// A bound of the terms of a decision value, for its rounding. \param W  of the task, M x R
[[nodiscard]] double landmark_decision_size(const TrainingKernels& kernels, ConstSpan d,
                                            const Matrix& W);

/// ModelSettings::landmarks.
[[nodiscard]] std::string landmark_setting(const LandmarkRule& rule, Index used);
/// The rule of a model, to train again.
[[nodiscard]] LandmarkRule landmark_rule(const Model& model);

}  // namespace kernmix
