#include "palette.hpp"

#include <array>

namespace kernmix::report {
namespace {

constexpr std::array<std::string_view, 4> dashes = {"", "7 3", "2 3", "9 3 2 3"};

Stroke of_scheme(const std::array<std::string_view, distinct_colors>& colors, std::size_t index) {
  return {colors[index % colors.size()], dashes[(index + index / colors.size()) % dashes.size()]};
}

}  // namespace

Stroke method_stroke(std::size_t index) {
  return of_scheme(
      {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#7F7F7F", "#56B4E9"},
      index);
}

Stroke kernel_stroke(std::size_t index) {
  return of_scheme(
      {"#332288", "#117733", "#CC6677", "#999933", "#882255", "#44AA99", "#AA4499", "#DDCC77"},
      index);
}

std::string_view view_fill(std::size_t index) {
  constexpr std::array<std::string_view, distinct_colors> colors = {
      "#77AADD", "#EE8866", "#EEDD88", "#44BB99", "#FFAABB", "#99DDFF", "#BBCC33", "#AAAA00"};
  return index < colors.size() ? colors[index] : others_fill;
}

}  // namespace kernmix::report
