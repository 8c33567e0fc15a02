#pragma once
/// \file
/// Rules that see from a run that its answer may mislead. Each looks at some samples only, at most
/// 200, evenly spaced; docs/reference/warnings.md says what it means and what to do.

#include <string>
#include <vector>

#include "kernmix/train.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

struct TasksAnswer;

/// Similarity of samples in a kernel: (nearly) all pairs dissimilar, useful, or (nearly) all pairs
/// equally similar.
enum class KernelShape { identity, narrow, useful, flat, constant };

/// Shapes of the kernels before fit_to_loss().
[[nodiscard]] std::vector<KernelShape> kernel_shapes(const TrainingKernels& kernels,
                                                     const Context& context);

/// Residual shares of the variance of y that count as interpolation: margins of classes are met to
/// the tolerance of the solver, numbers have measurement errors.
inline constexpr double exact_classes = 1e-4;
inline constexpr double exact_numbers = 1e-6;

/// All warnings of a run. \param model the result
[[nodiscard]] std::vector<Warning> training_warnings(const TaskSet& set,
                                                     const TrainingKernels& kernels,
                                                     const std::vector<KernelShape>& shapes,
                                                     const TasksAnswer& answer, const Model& model,
                                                     const Context& context);

/// The rules; each adds at most one warning.
void warn_of_identities(const TrainingKernels& kernels, const std::vector<KernelShape>& shapes,
                        ConstSpan weights, std::vector<Warning>& warnings);
void warn_of_constants(const TrainingKernels& kernels, const std::vector<KernelShape>& shapes,
                       ConstSpan weights, std::vector<Warning>& warnings);
void warn_of_grid_edges(const TrainingKernels& kernels, const std::vector<KernelShape>& shapes,
                        ConstSpan weights, std::vector<Warning>& warnings);
void warn_of_dominant_columns(const TrainingKernels& kernels, std::vector<Warning>& warnings);
/// Columns that determine the target of all training samples, and columns that number the samples.
void warn_of_answers_among_columns(const TaskTargets& targets, const TrainingKernels& kernels,
                                   const Context& context, std::vector<Warning>& warnings);
void warn_of_numbered_samples(const TrainingKernels& kernels, std::vector<Warning>& warnings);
void warn_of_classes_without_view(const TaskTargets& targets, const TrainingKernels& kernels,
                                  std::vector<Warning>& warnings);
void warn_of_columns_without_values(const TrainingKernels& kernels, std::vector<Warning>& warnings);
/// Columns without variation among the training samples. \param indicators  of which columns are
void warn_of_constant_columns(const TrainingKernels& kernels,
                              const std::vector<Indicators>& indicators,
                              std::vector<Warning>& warnings);
/// The optimum is hardly better than one answer for all samples.
void warn_of_weak_optimum(const TaskSet& set, const TasksAnswer& answer,
                          std::vector<Warning>& warnings);
void warn_of_untested(const TrainingKernels& kernels, std::vector<Warning>& warnings);
void warn_of_decisions(const TaskSet& set, const TrainingKernels& kernels,
                       const std::vector<KernelShape>& shapes, const Model& model,
                       const Context& context, std::vector<Warning>& warnings);
/// Numeric targets that have one value for all samples.
void warn_of_constant_targets(const TaskTargets& targets, std::vector<Warning>& warnings);
/// The same for studies, which train many models on parts of the data.
[[nodiscard]] std::vector<Warning> warnings_of_targets(const Dataset& data,
                                                       const TrainOptions& options);
/// \param tolerance  relative gap asked for
void warn_of_weights_not_learned(const TaskSet& set, const TasksAnswer& answer, double tolerance,
                                 std::vector<Warning>& warnings);

/// Labels of regression that were taken as classes.
void warn_of_numbers_as_classes(const TaskTargets& targets, std::vector<Warning>& warnings);

/// A requested calibration that is missing because of time, constant, or in conflict with class
/// weights.
void warn_of_missing_calibration(std::vector<Warning>& warnings);
void warn_of_constant_maps(const Model& model, std::vector<Warning>& warnings);
void warn_of_undone_class_weights(const Model& model, std::vector<Warning>& warnings);

// one_class.cpp

/// All (at most 200 evenly spaced) training samples are assigned to one class.
void warn_of_one_class(const Dataset& data, const Model& model, const Context& context,
                       std::vector<Warning>& warnings);

/// " of 2 of 3 tasks (a, b)", or empty for a single task.
[[nodiscard]] std::string which_tasks(const TaskSet& set, const std::vector<std::string>& names);
/// "a, b, c and 4 more"
[[nodiscard]] std::string first_names(const std::vector<std::string>& names);
/// The same for kernels.
[[nodiscard]] std::string kernel_list(const TrainingKernels& kernels,
                                      const std::vector<Index>& chosen);

}  // namespace kernmix
