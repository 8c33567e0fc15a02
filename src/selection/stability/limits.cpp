#include "selection/stability/limits.hpp"

#include <fmt/format.h>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

void require_waitable(double models, const char* fewer) {
  constexpr double most = 1e7;
  if (models <= most) return;
  throw ParameterError(fmt::format(
      "{}: {:.3g} models are asked for, and {:.3g} at most are trained in one run; ask for fewer",
      fewer, models, most));
}

void require_room_for_models(std::size_t models, std::size_t bytes_of_each, const char* fewer,
                             const Context& context) {
  const double needed = static_cast<double>(models) * static_cast<double>(bytes_of_each);
  if (has_room(context, needed)) return;
  throw ResourceError(
      fmt::format("{}: what is kept of {} models takes {}, and {} may be used; ask for "
                  "fewer, or allow more with --memory",
                  fewer, models, memory_text(needed), memory_text(context.memory_bytes)));
}

Context without_log(Context context) {
  context.log = nullptr;
  return context;
}

std::size_t model_bytes(Index kernels, Index samples) {
  constexpr std::size_t bytes_of_an_entry = sizeof(double) + sizeof(float);
  constexpr std::size_t beside = 32;  // matrices of the solver and the certificate
  return to_size(kernels + static_cast<Index>(beside)) * to_size(samples) * to_size(samples) *
         bytes_of_an_entry;
}

}  // namespace kernmix
