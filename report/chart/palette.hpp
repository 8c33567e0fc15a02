#pragma once
/// \file
/// Every colour of the figures. Methods are dark lines, views are light areas: no colour is in both
/// sets, and people of any colour vision can tell the members of each apart.

#include <cstddef>
#include <string_view>

namespace kernmix::report {

/// How a line is drawn.
struct Stroke {
  std::string_view color;
  std::string_view dash;  ///< SVG stroke-dasharray, empty for solid
  double width = 2.0;
};

/// How many methods, kernels or views have a colour of their own.
inline constexpr std::size_t distinct_colors = 8;

/// Of methods: colours of Okabe and Ito (2008), each with a dash pattern for print without colour.
/// The ninth has the colour of the first with another pattern; the pair is unique up to 32.
[[nodiscard]] Stroke method_stroke(std::size_t index);

/// Of kernels, where they are lines: the scheme "muted" of Tol (2021).
[[nodiscard]] Stroke kernel_stroke(std::size_t index);

/// Of views: the scheme "light" of Tol (2021), made for black text on it; from the ninth on, the
/// grey of `others_fill`.
[[nodiscard]] std::string_view view_fill(std::size_t index);

inline constexpr std::string_view others_fill = "#C9CED4";
inline constexpr std::string_view heat_fill = "#005292";  ///< of the largest value of a heat map
inline constexpr std::string_view ink = "#1B1F24";        ///< of what stands for no method or view
inline constexpr std::string_view soft = "#5B6570";

}  // namespace kernmix::report
