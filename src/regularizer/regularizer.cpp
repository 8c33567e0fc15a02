#include "kernmix/regularizer/regularizer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "arguments.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The limits p = 1 and p = infinity are regularizers of their own name.
Regularizer parse_lp(const std::string& text) {
  const double p = Arguments(text, {"p"}).number("p");
  if (!(p >= 1.0)) throw ParameterError(fmt::format("lp: p must be >= 1, got {}", p));
  if (p == 1.0) return L1{};
  if (std::isinf(p)) return Sum{};
  return Lp{p};
}

Regularizer parse_fixed(const std::string& argument) {
  Fixed fixed;
  std::istringstream parts(argument);
  bool any_positive = false;
  for (std::string part; std::getline(parts, part, ',');) {
    const double weight = parse_parameter(part, "fixed");
    if (!(weight >= 0.0) || std::isinf(weight)) {
      throw ParameterError(fmt::format("fixed: weights must be >= 0 and finite, got {}", part));
    }
    any_positive = any_positive || weight > 0.0;
    fixed.w.push_back(weight);
  }
  if (!any_positive) throw ParameterError("fixed: at least one weight must be > 0");
  return fixed;
}

}  // namespace

const std::vector<RegularizerInfo>& regularizers() {
  static const std::vector<RegularizerInfo> rows = {
      {"l1", "d >= 0, sum d = 1", "1/2 (sum s)^2", "l1"},
      {"lp:p=P", "d >= 0, ||d||_P <= 1, 1 <= P <= inf", "1/2 ||s||_r^2, r = 2P/(P+1)", "lp:p=2"},
      {"average", "d = 1/M", "M/2 sum s^2", "average"},
      {"sum", "d = 1", "1/2 sum s^2", "sum"},
      {"fixed:D1,D2,...", "d = (D1, D2, ...)", "1/2 sum s^2/d", "fixed:1,2"},
      {"alignment", "d ~ alignment of each kernel with y", "1/2 sum s^2/d", "alignment"},
      {"alignf", "d >= 0, ||d||_2 = 1 of largest alignment with y", "1/2 sum s^2/d", "alignf"},
  };
  return rows;
}

Regularizer parse_regularizer(const std::string& text) {
  const std::string name = name_of(text);
  const auto plain = [&](Regularizer regularizer) {
    static_cast<void>(Arguments(text, {}));
    return regularizer;
  };
  if (name == "l1") return plain(L1{});
  if (name == "average") return plain(Average{});
  if (name == "sum") return plain(Sum{});
  if (name == "lp") return parse_lp(text);
  if (name == "fixed") return parse_fixed(argument_of(text));
  if (name == "alignment") return plain(TwoStage{Alignment{false}, {}});
  if (name == "alignf") return plain(TwoStage{Alignment{true}, {}});
  std::string known;
  for (const RegularizerInfo& row : regularizers()) {
    known += (known.empty() ? "" : ", ") + row.syntax;
  }
  throw ParameterError(fmt::format("unknown regularizer '{}', known are {}", text, known));
}

Regularizer with_groups(Regularizer regularizer, const std::vector<Index>& group) {
  std::visit(
      [&]<typename R>(R& r) {
        if constexpr (IsGrouped<R>) r.group = group;
      },
      regularizer);
  return regularizer;
}

Regularizer with_chosen_weights(Regularizer regularizer, Vector d) {
  if (auto* two_stage = std::get_if<TwoStage>(&regularizer)) two_stage->chosen.w = std::move(d);
  return regularizer;
}

std::string regularizer_text(const Regularizer& regularizer) {
  return std::visit([](const auto& r) { return r.text(); }, regularizer);
}

}  // namespace kernmix
