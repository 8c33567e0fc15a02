#pragma once
/// \file
/// What happens where time is up before a model is finished, and where an error came from.

#include <optional>
#include <string>
#include <type_traits>

#include "base/errors_at.hpp"
#include "kernmix/context.hpp"
#include "model/solving/no_time.hpp"
#include "problem/without_end.hpp"

namespace kernmix {

/// body(), or nothing where the context says stop before it is finished.
/// \param where  errors begin with it, unless it is empty
/// \returns what `body` returns, a std::optional
template <typename Body>
[[nodiscard]] std::invoke_result_t<Body> in_time(const Context& context, const std::string& where,
                                                 const Body& body) {
  if (context.should_stop()) return std::nullopt;
  try {
    return where.empty() ? body() : errors_at(where, body);
  } catch (const NoTimeForPass&) {
    if (context.is_abandoned()) throw;
    return std::nullopt;
  } catch (const ResourceError&) {
    if (!ended_in_use(context)) throw;
    return std::nullopt;
  }
}

}  // namespace kernmix
