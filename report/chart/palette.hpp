#pragma once
/// \file
/// All colours of the figures. Methods are dark lines, views are light areas: the sets have no
/// common colour, and each set can be distinguished with any kind of colour vision.

#include <cstddef>
#include <string_view>

namespace kernmix::report {

/// How a line is drawn.
struct Stroke {
  std::string_view color;
  std::string_view dash;  ///< SVG stroke-dasharray, empty for solid
  double width = 2.0;
};

/// Number of methods, kernels or views with distinct colours.
inline constexpr std::size_t distinct_colors = 8;

/// For methods: colours of Okabe and Ito (2008), each with a dash pattern for print without colour.
/// The ninth has the colour of the first with another pattern; pairs are unique up to 32.
[[nodiscard]] Stroke method_stroke(std::size_t index);

/// For kernels as lines: the scheme "muted" of Tol (2021).
[[nodiscard]] Stroke kernel_stroke(std::size_t index);

/// For views: the scheme "light" of Tol (2021), designed for black text; from the ninth on, the
/// grey of `others_fill`.
[[nodiscard]] std::string_view view_fill(std::size_t index);

inline constexpr std::string_view others_fill = "#C9CED4";
inline constexpr std::string_view heat_fill = "#005292";  ///< of the largest value of a heat map
inline constexpr std::string_view ink = "#1B1F24";        ///< for elements without method or view
inline constexpr std::string_view soft = "#5B6570";

}  // namespace kernmix::report
