#include "kernmix/loss/loss.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"

namespace kernmix {

std::string loss_name(const Loss& loss) {
  return std::visit([](const auto& l) { return std::string(l.name); }, loss);
}

Loss parse_loss(const std::string& text) {
  if (text == Hinge::name) return Hinge{};
  throw ParameterError(fmt::format("unknown loss '{}', known is hinge", text));
}

}  // namespace kernmix
