#pragma once
/// \file
/// Parallel training of many models, each on one thread, within a time limit.

#include <functional>
#include <optional>

#include "kernmix/train.hpp"

namespace kernmix {

/// \throws ParameterError for an excessive number of models; `fewer` names the option to reduce
void require_waitable(double models, const char* fewer);
/// Checks the memory for the results of all models. \throws ResourceError if it is insufficient;
/// `fewer` as above
void require_room_for_models(std::size_t models, std::size_t bytes_of_each, const char* fewer,
                             const Context& context);

/// Memory of a model in addition to the common kernels: a copy of the kernels of its samples, in
/// double precision and in the form of the solver.
[[nodiscard]] std::size_t model_bytes(Index kernels, Index samples);

/// The context of one of many models: one thread, no progress, and its part of the memory.
struct ManyModels {
  /// Runs as many models in parallel as threads and memory allow, at least one. \param held common
  /// bytes; \param own model_bytes of the largest
  ManyModels(const Context& context, std::size_t held, std::size_t own);

  /// model(i) for i = 0 .. count - 1, in ascending order on each thread; after the deadline no
  /// model is started. Progress reports the number of finished models.
  void run(Index count, const char* stage, const std::function<void(Index)>& model) const;

  const Context& context;  ///< of all
  Context one;             ///< of one
  int at_once = 1;
};

/// train(), or nothing if time ran out before it converged.
[[nodiscard]] std::optional<TrainResult> train_in_time(const Dataset& data,
                                                       const TrainOptions& options,
                                                       const Context& context);

}  // namespace kernmix
