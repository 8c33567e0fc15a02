#pragma once
/// \file
/// Many models at once, each on one thread, until time is up.

#include <functional>
#include <optional>

#include "kernmix/train.hpp"

namespace kernmix {

/// \throws ParameterError for more models than anybody waits for; `fewer` is what to ask less of
void require_waitable(double models, const char* fewer);
/// Before what each of them has of its own is put into memory.
/// \throws ResourceError where it does not fit; `fewer` as above
void require_room_for_models(std::size_t models, std::size_t bytes_of_each, const char* fewer,
                             const Context& context);

/// What a model needs beside the kernels that all have in common: its own copy of those of its
/// samples, in double precision and as the solver stores them.
[[nodiscard]] std::size_t model_bytes(Index kernels, Index samples);

/// The context of one of many models: one thread, no progress, and its part of the memory.
struct ManyModels {
  /// As many at once as threads and memory allow, at least one.
  /// \param held  bytes of what all have in common;  \param own  model_bytes of the largest
  ManyModels(const Context& context, std::size_t held, std::size_t own);

  /// model(i) for i = 0 .. count - 1, ascending as far as one thread goes; those that time has no
  /// room for are not begun. Progress says how many of `count` are done.
  void run(Index count, const char* stage, const std::function<void(Index)>& model) const;

  const Context& context;  ///< of all
  Context one;             ///< of one
  int at_once = 1;
};

/// train(), or nothing where time was up before the model was as good as it can be.
[[nodiscard]] std::optional<TrainResult> train_in_time(const Dataset& data,
                                                       const TrainOptions& options,
                                                       const Context& context);

}  // namespace kernmix
