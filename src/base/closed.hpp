#pragma once
/// \file
/// Values of a closed set of types that is private to the library: a class whose `any()` is a
/// std::variant of them (loss/any.hpp, regularizer/any.hpp).

#include <type_traits>
#include <utility>
#include <variant>

namespace kernmix {

template <typename V>
concept IsClosed = requires(const V& value) {
  value.any();
};

template <typename F, IsClosed... V>
decltype(auto) visit(F&& f, const V&... values) {
  return std::visit(std::forward<F>(f), values.any()...);
}

/// The value as a T, or null if it has another type.
template <typename T, IsClosed V>
[[nodiscard]] const T* get_if(const V& value) {
  return std::get_if<T>(&value.any());
}

template <typename T, IsClosed V>
[[nodiscard]] bool is(const V& value) {
  return get_if<T>(value) != nullptr;
}

/// Calls f.operator()<T>() for each T of a closed set.
template <typename... T, typename F>
void for_each_type(std::type_identity<std::variant<T...>> /*types*/, const F& f) {
  (f.template operator()<T>(), ...);
}

/// Whether f.operator()<T>() is true for the type T of the value. A table of constants; std::visit
/// of two values would generate hundreds of functions.
template <typename... T, typename F>
[[nodiscard]] bool holds_for(const std::variant<T...>& value, F f) {
  const bool table[] = {f.template operator()<T>()...};
  return table[value.index()];
}

}  // namespace kernmix
