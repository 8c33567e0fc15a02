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

/// A number > 0 and finite.
double positive_number(const Arguments& arguments, const std::string& name,
                       const std::string& parameter) {
  const double value = arguments.number(parameter);
  if (value > 0.0 && std::isfinite(value)) return value;
  throw ParameterError(
      fmt::format("{}: {} must be > 0 and finite, got {}", name, parameter, value));
}

Regularizer parse_lp_tikhonov(const std::string& text) {
  const Arguments arguments(text, {"p", "lambda"});
  const double p = arguments.number("p");
  if (!(p > 1.0) || std::isinf(p)) {
    throw ParameterError(fmt::format(
        "lp-tikhonov: p must be > 1 and finite, got {}; l1 and sum are the ends of the path", p));
  }
  return LpTikhonov{p, positive_number(arguments, "lp-tikhonov", "lambda")};
}

/// Without its square the net is the unsquared norm.
Regularizer parse_elastic_net(const std::string& text) {
  const Arguments arguments(text, {"l1", "l2"});
  const double l1 = positive_number(arguments, "elastic-net", "l1");
  if (arguments.number("l2") == 0.0) return L1Unsquared{l1};
  return ElasticNet{l1, positive_number(arguments, "elastic-net", "l2")};
}

Regularizer parse_elastic_net_bach(const std::string& text) {
  const Arguments arguments(text, {"lambda"});
  if (arguments.number("lambda") == 0.0) return L1{};
  return ElasticNetBach{positive_number(arguments, "elastic-net-bach", "lambda")};
}

template <typename R>
Regularizer parse_sgmkl(const std::string& text) {
  const double v = Arguments(text, {"v"}).number("v");
  if (!(v >= 0.0 && v <= 1.0)) {
    throw ParameterError(fmt::format("{}: v must lie in [0, 1], got {}", name_of(text), v));
  }
  if (v == 0.0) return Lp{2.0};
  if (v == 1.0) return L1{};
  return R{v};
}

Regularizer parse_soft_margin_power(const std::string& text) {
  const Arguments arguments(text, {"theta", "p"});
  const double theta = positive_number(arguments, "soft-margin-power", "theta");
  const double p = arguments.number("p");
  if (!(p > 1.0) || std::isinf(p)) {
    throw ParameterError(fmt::format("soft-margin-power: p must be > 1 and finite, got {}", p));
  }
  return SoftMarginPower{theta, p};
}

Regularizer parse_ufo(const std::string& text) {
  const Arguments arguments(text, {"lambda", "alpha"});
  const double alpha = arguments.number("alpha", 0.0);
  if (!(alpha >= 0.0) || std::isinf(alpha)) {
    throw ParameterError(fmt::format("ufo: alpha must be >= 0 and finite, got {}", alpha));
  }
  return Ufo{positive_number(arguments, "ufo", "lambda"), alpha};
}

/// A regularizer with one number > 0.
template <typename R>
Regularizer parse_scale(const std::string& text, const std::string& parameter) {
  return R{positive_number(Arguments(text, {parameter}), name_of(text), parameter)};
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
      {"l1-unsquared:lambda=L", "d >= 0", "L sum s", "l1-unsquared:lambda=1"},
      {"lp-tikhonov:p=P,lambda=L", "d >= 0, Phi = L/2 ||d||_P^2, 1 < P < inf",
       "3/2 L t^2, t^3 = ||s||_r^2 / (2 L), r = 2P/(P+1)", "lp-tikhonov:p=1.5,lambda=1"},
      {"elastic-net:l1=A,l2=B", "0 <= d < 1/B", "A sum s + B/2 sum s^2", "elastic-net:l1=1,l2=0.5"},
      {"elastic-net-bach:lambda=L", "d >= 0, sum d/(1 - L d) <= 1", "1/2 (sum s)^2 + L/2 sum s^2",
       "elastic-net-bach:lambda=0.5"},
      {"sgmkl:v=V", "d >= 0, V sum d + (1-V) sum d^2 <= 1, 0 <= V <= 1", "min_d 1/2 sum s^2/d",
       "sgmkl:v=0.5"},
      {"sgmkl-norm:v=V", "d >= 0, V sum d + (1-V) ||d||_2 <= 1, 0 <= V <= 1", "min_d 1/2 sum s^2/d",
       "sgmkl-norm:v=0.5"},
      {"soft-margin:theta=T", "0 <= d <= T, sum d = 1, T >= 1/M", "min_d 1/2 sum s^2/d",
       "soft-margin:theta=0.5"},
      {"soft-margin-squared:theta=T", "d >= 0, sum d = 1, Phi = ||d||^2/(2T)",
       "min_d 1/2 sum s^2/d + Phi", "soft-margin-squared:theta=1"},
      {"soft-margin-power:theta=T,p=P", "d >= 0, sum d = 1, Phi = (T P*/2)^(1-P) sum d^P / P",
       "min_d 1/2 sum s^2/d + Phi", "soft-margin-power:theta=1,p=3"},
      {"soft-margin-square-loss:theta=T", "d >= 0, Phi = ||d||^2/(2T)",
       "3/2 t^2 / T, t^3 = T/2 ||s||_{4/3}^2", "soft-margin-square-loss:theta=1"},
      {"ufo:lambda=L,alpha=A", "d >= 0, L ||d||_{P/(P-2)} < 1, P = 2 ln M",
       "L/2 ||s||_p^2 + A sum s, p = P/(P-1)", "ufo:lambda=1,alpha=0.1"},
      {"fixed:D1,D2,...", "d = (D1, D2, ...)", "1/2 sum s^2/d", "fixed:1,2"},
      {"alignment", "d ~ alignment of each kernel with y", "1/2 sum s^2/d", "alignment"},
      {"alignf", "d >= 0, ||d||_2 = 1 of largest alignment with y", "1/2 sum s^2/d", "alignf"},
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
  if (name == "l1-unsquared") return parse_scale<L1Unsquared>(text, "lambda");
  if (name == "lp-tikhonov") return parse_lp_tikhonov(text);
  if (name == "elastic-net") return parse_elastic_net(text);
  if (name == "elastic-net-bach") return parse_elastic_net_bach(text);
  if (name == "sgmkl") return parse_sgmkl<Sgmkl>(text);
  if (name == "sgmkl-norm") return parse_sgmkl<SgmklNorm>(text);
  if (name == "soft-margin") return parse_scale<SoftMargin>(text, "theta");
  if (name == "soft-margin-squared") return parse_scale<SoftMarginSquared>(text, "theta");
  if (name == "soft-margin-power") return parse_soft_margin_power(text);
  if (name == "soft-margin-square-loss") return parse_scale<SoftMarginSquareLoss>(text, "theta");
  if (name == "ufo") return parse_ufo(text);
  if (name == "fixed") return parse_fixed(argument_of(text));
  if (name == "alignment") return plain(TwoStage{Alignment{false}, {}});
  if (name == "alignf") return plain(TwoStage{Alignment{true}, {}});
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

Regularizer with_chosen_weights(Regularizer regularizer, Vector d) {
  if (auto* two_stage = std::get_if<TwoStage>(&regularizer)) two_stage->chosen.w = std::move(d);
  return regularizer;
}

std::string regularizer_text(const Regularizer& regularizer) {
  return std::visit([](const auto& r) { return r.text(); }, regularizer);
}

}  // namespace kernmix
