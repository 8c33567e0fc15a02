#pragma once
/// \file
/// How many models are trained in one run, and the memory of each.

#include <cstddef>

#include "kernmix/context.hpp"

namespace kernmix {

/// \throws ParameterError for more models than anybody waits for; `fewer` is what to ask less of
void require_waitable(double models, const char* fewer);
/// Before what each of them has of its own is put into memory.
/// \throws ResourceError where it does not fit; `fewer` as above
void require_room_for_models(std::size_t models, std::size_t bytes_of_each, const char* fewer,
                             const Context& context);

/// What many models tell one by one, nobody reads.
[[nodiscard]] Context without_log(Context context);

/// What a model needs beside the kernels that all have in common: its own copy of those of its
/// samples, in double precision and as the solver stores them.
[[nodiscard]] std::size_t model_bytes(Index kernels, Index samples);

}  // namespace kernmix
