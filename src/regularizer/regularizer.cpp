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

/// q = 1 does not see the groups; beyond q = 2 there is no set of weights.
Regularizer parse_mixed_norm(const std::string& text) {
  const double q = Arguments(text, {"q"}).number("q");
  if (!(q >= 1.0)) throw ParameterError(fmt::format("mixed-norm: q must be >= 1, got {}", q));
  if (q == 1.0) return L1{};
  if (q <= 2.0) return MixedNorm{q, {}};
  return MixedNormSaddle{q, {}};
}

Regularizer parse_ckl(const std::string& text) {
  const Arguments arguments(text, {"p", "q"});
  const double p = arguments.number("p");
  const double q = arguments.number("q");
  if (!(p >= 0.0 && q >= 0.0)) {
    throw ParameterError(fmt::format("ckl: p and q must be >= 0, got {} and {}", p, q));
  }
  if (p + q > 1.0 + 1e-12) {
    throw ParameterError(fmt::format(
        "ckl: p + q must be <= 1, got {} + {}: beyond 1 the problem is not convex and no solution "
        "of it could be certified",
        p, q));
  }
  if (p + q == 0.0) return Sum{};
  return Ckl{p, q, {}};
}

}  // namespace

const std::vector<RegularizerInfo>& regularizers() {
  static const std::vector<RegularizerInfo> rows = {
      {"l1", "d >= 0, sum d = 1", "1/2 (sum s)^2", "l1"},
      {"lp:p=P", "d >= 0, ||d||_P <= 1, 1 <= P <= inf", "1/2 ||s||_r^2, r = 2P/(P+1)", "lp:p=2"},
      {"average", "d = 1/M", "M/2 sum s^2", "average"},
      {"sum", "d = 1", "1/2 sum s^2", "sum"},
      {"fixed:D1,D2,...", "d = (D1, D2, ...)", "1/2 sum s^2/d", "fixed:1,2"},
      {"mixed-norm:q=Q", "d >= 0, ||(sum_k d_jk)_j||_r <= 1, r = Q/(2-Q), 1 <= Q <= 2",
       "1/2 (sum_j (sum_k s_jk)^Q)^(2/Q)", "mixed-norm:q=1.5"},
      {"mixed-norm:q=Q (Q > 2)", "d_jk = l_jk/g_j, sum_k l_jk = 1, ||g||_(Q/(Q-2)) = 1, a saddle",
       "1/2 (sum_j (sum_k s_jk)^Q)^(2/Q)", "mixed-norm:q=inf"},
      {"ckl:p=P,q=Q", "d >= 0, ||(n_j^P ||d_j||_(1/Q))_j||_(1/(P+Q)) <= 1, P + Q <= 1",
       "1/2 ||(n_j^(P/2) ||s_j||_r)_j||_a^2, r = 2/(Q+1), a = 2/(P+Q+1)", "ckl:p=0.5,q=0.5"},
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
  if (name == "mixed-norm") return parse_mixed_norm(text);
  if (name == "ckl") return parse_ckl(text);
  std::string known;
  for (const RegularizerInfo& row : regularizers())
    known += (known.empty() ? "" : ", ") + row.syntax;
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

std::string regularizer_text(const Regularizer& regularizer) {
  return std::visit([](const auto& r) { return r.text(); }, regularizer);
}

}  // namespace kernmix
