#pragma once
/// \file
/// Decimal marks and thousands separators of numbers in text files.

#include <string>
#include <string_view>
#include <vector>

#include "data/number.hpp"

namespace kernmix {

/// A set of notations under which a text is a number; none of them is the plain one with a decimal
/// point and without groups.
class Notations {
 public:
  Notations() = default;
  /// The notations of `text`; none if it is not a number in any of them.
  explicit Notations(std::string_view text);
  /// All notations, for intersections.
  [[nodiscard]] static Notations all();

  [[nodiscard]] bool empty() const { return set_ == 0; }
  [[nodiscard]] bool has(NumberFormat format) const;
  [[nodiscard]] bool is_all() const { return set_ == all().set_; }
  void intersect(Notations other) { set_ &= other.set_; }

  /// The notations in the order of preference.
  [[nodiscard]] std::vector<NumberFormat> formats() const;

 private:
  unsigned set_ = 0;
};

/// A comma can only be the decimal mark of `number`, as in 34,5 or 0,186 and unlike 12,500.
[[nodiscard]] bool is_decimal_comma(Notations number, char thousands);
/// 12,500 may be 12.5 or 12500.
[[nodiscard]] bool is_either(Notations number, char thousands);

/// What stands beside or in a number so that it is not read as one.
enum class Mark : char { none, currency, unit, parentheses, exponent };
struct MarkedNumber {
  Mark kind = Mark::none;
  std::string number;  ///< the text without the mark
};
/// "$2.50", "1.234,50 EUR", "5 kg", "(12)", "1.5D+02"; `none` for other texts.
[[nodiscard]] MarkedNumber find_mark(std::string_view cell);

/// The decimal mark of the numbers of a text with this separator, which may have words too.
/// \throws DataError naming a line if commas may be decimal marks or thousands separators
[[nodiscard]] char detect_decimal(std::string_view text, char separator, const std::string& path);

}  // namespace kernmix
