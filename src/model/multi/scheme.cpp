#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/model/multi.hpp"

namespace kernmix {

std::string scheme_name(TaskScheme scheme) {
  switch (scheme) {
    case TaskScheme::one_vs_rest:
      return "one-vs-rest";
    case TaskScheme::one_vs_one:
      return "one-vs-one";
    case TaskScheme::joint:
      return "joint";
    case TaskScheme::labels:
      return "labels";
  }
  return "unknown";
}

TaskScheme parse_scheme(const std::string& text) {
  for (const TaskScheme scheme :
       {TaskScheme::one_vs_rest, TaskScheme::one_vs_one, TaskScheme::joint, TaskScheme::labels}) {
    if (text == scheme_name(scheme)) return scheme;
  }
  throw ParameterError(fmt::format(
      "the scheme of tasks must be one-vs-rest, one-vs-one, joint or labels, got '{}'", text));
}

}  // namespace kernmix
