#pragma once
/// \file
/// One question to all alternatives of a variant.

#include <array>
#include <cstddef>
#include <type_traits>
#include <variant>

namespace kernmix {

/// ask.operator()<T>() for each alternative T, by its index: a table of constants, where a visit of
/// two variants at once would be hundreds of functions.
template <typename... T, typename Ask>
constexpr std::array<bool, sizeof...(T)> ask_each(std::type_identity<std::variant<T...>> /*list*/,
                                                  Ask ask) {
  return {ask.template operator()<T>()...};
}

}  // namespace kernmix
