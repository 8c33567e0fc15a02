#include "kernmix/regularizer/regularizer.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

double parse_number(const std::string& text, const std::string& place) {
  if (text == "inf" || text == "infinity") return std::numeric_limits<double>::infinity();
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) {
    throw ParameterError(fmt::format("{}: '{}' is not a number", place, text));
  }
  return value;
}

/// The limits p = 1 and p = infinity are regularizers of their own name.
Regularizer parse_lp(const std::string& argument) {
  const std::string digits = argument.starts_with("p=") ? argument.substr(2) : argument;
  const double p = parse_number(digits, "lp");
  if (!(p >= 1.0)) throw ParameterError(fmt::format("lp: p must be >= 1, got {}", digits));
  if (p == 1.0) return L1{};
  if (std::isinf(p)) return Sum{};
  return Lp{p};
}

Regularizer parse_fixed(const std::string& argument) {
  Fixed fixed;
  std::istringstream parts(argument);
  bool any_positive = false;
  for (std::string part; std::getline(parts, part, ',');) {
    const double weight = parse_number(part, "fixed");
    if (!(weight >= 0.0) || std::isinf(weight)) {
      throw ParameterError(fmt::format("fixed: weights must be >= 0 and finite, got {}", part));
    }
    any_positive = any_positive || weight > 0.0;
    fixed.w.push_back(weight);
  }
  if (!any_positive) throw ParameterError("fixed: at least one weight must be > 0");
  return fixed;
}

Regularizer without_argument(const std::string& name, const std::string& argument,
                             Regularizer regularizer) {
  if (argument.empty()) return regularizer;
  throw ParameterError(fmt::format("{}: takes no argument, got '{}'", name, argument));
}

}  // namespace

const std::vector<RegularizerInfo>& regularizers() {
  static const std::vector<RegularizerInfo> rows = {
      {"l1", "d >= 0, sum d = 1", "1/2 (sum s)^2", "l1"},
      {"lp:p=P", "d >= 0, ||d||_P <= 1, 1 <= P <= inf", "1/2 ||s||_r^2, r = 2P/(P+1)", "lp:p=2"},
      {"average", "d = 1/M", "M/2 sum s^2", "average"},
      {"sum", "d = 1", "1/2 sum s^2", "sum"},
      {"fixed:D1,D2,...", "d = (D1, D2, ...)", "1/2 sum s^2/d", "fixed:1,2"},
  };
  return rows;
}

Regularizer parse_regularizer(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const std::string argument = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (name == "l1") return without_argument(name, argument, L1{});
  if (name == "average") return without_argument(name, argument, Average{});
  if (name == "sum") return without_argument(name, argument, Sum{});
  if (name == "lp") return parse_lp(argument);
  if (name == "fixed") return parse_fixed(argument);
  throw ParameterError(fmt::format(
      "unknown regularizer '{}', known are l1, lp:p=P, average, sum, fixed:D1,D2,...", text));
}

std::string regularizer_text(const Regularizer& regularizer) {
  return std::visit([](const auto& r) { return r.text(); }, regularizer);
}

}  // namespace kernmix
