#include "kernmix/loss/loss.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "arguments.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
double dual_gain(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C) {
  const double gain = std::visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return sum_gain(l, y, a, C);
        } else {
          return l.gain(y, a, C);
        }
      },
      loss);
  if (rule != Bias::penalised) return gain;
  const double bias = std::accumulate(a.begin(), a.end(), 0.0);
  return gain - 0.5 * bias * bias;
}

LossPoint loss_at(const Loss& loss, Bias rule, ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) {
  return std::visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return sum_at(l, rule, y, z, a, C);
        } else {
          return l.at(y, z, a, C);
        }
      },
      loss);
}

DualSet dual_set(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C) {
  return std::visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return separable_dual_set(l, rule, y, C);
        } else {
          return l.dual_set(y, C);
        }
      },
      loss);
}

Vector dual_curvature(const Loss& loss, ConstSpan y, ConstSpan a, ConstSpan C) {
  Vector curvature(a.size(), 0.0);
  std::visit(
      [&]<typename L>(const L& l) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          if constexpr (HasSmoothDual<L>) {
            curvature[i] = l.dual_curvature(y[i], a[i], C[i]);
          } else {
            curvature[i] = l.quadratic_term(y[i], C[i]).diagonal;
          }
        }
      },
      loss);
  return curvature;
}

std::vector<Index> free_samples(const Loss& loss, const DualSet& set, ConstSpan y, ConstSpan a,
                                ConstSpan C) {
  std::vector<Index> free;
  std::visit(
      [&]<typename L>(const L& l) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          bool smooth = a[i] > set.lower[i] && a[i] < set.upper[i];
          if constexpr (HasQuadraticDual<L>) {
            smooth = smooth && (a[i] != 0.0 || l.quadratic_term(y[i], C[i]).kink == 0.0);
          }
          if (smooth) free.push_back(static_cast<Index>(i));
        }
      },
      loss);
  return free;
}

Target loss_target(const Loss& loss) {
  return std::visit([](const auto& l) { return l.target; }, loss);
}

double loss_weight(const Loss& loss, double C, Index n) {
  return std::visit(
      [&]<typename L>(const L& l) {
        if constexpr (requires { l.nu; }) {
          if (C != 1.0) {
            throw ParameterError(
                fmt::format("{} has no C: nu takes its place; leave C at 1", l.text()));
          }
          return 1.0 / (l.nu * static_cast<double>(n));
        } else {
          static_cast<void>(n);
          return C;
        }
      },
      loss);
}

void check_loss(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C) {
  const Target target = loss_target(loss);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (target == Target::classes && std::abs(y[i]) != 1.0) {
      throw DataError(fmt::format("labels must be +1 or -1, sample {} has {}", i + 1, y[i]));
    }
    if (!std::isfinite(y[i])) {
      throw DataError(fmt::format("targets must be finite, sample {} has {}", i + 1, y[i]));
    }
    if (!(C[i] > 0.0) || !std::isfinite(C[i])) {
      throw ParameterError(fmt::format("C must be > 0 and finite, sample {} has {}", i + 1, C[i]));
    }
  }
  std::visit(
      [&]<typename L>(const L& l) {
        if constexpr (HasParameters<L>) l.check_parameters();
        if constexpr (!IsSeparableLoss<L>) {
          if (rule != Bias::free) {
            throw ParameterError(
                fmt::format("{} has a threshold of its own: the bias must be free", l.text()));
          }
          l.check(y, C);
        }
      },
      loss);
}

std::string loss_text(const Loss& loss) {
  return std::visit([](const auto& l) { return l.text(); }, loss);
}

const std::vector<LossInfo>& losses() {
  static const std::vector<LossInfo> rows = {
      {"hinge", "max(0, 1 - y z)", "hinge"},
      {"squared-hinge", "1/2 max(0, 1 - y z)^2", "squared-hinge"},
      {"huber-hinge:h=H", "hinge, s^2/(2H) where s = 1 - y z is in [0, H]", "huber-hinge:h=0.5"},
      {"logistic", "log(1 + exp(-y z))", "logistic"},
      {"nu-svc:nu=NU", "-rho + 1/(NU n) sum max(0, rho - y z)", "nu-svc:nu=0.5"},
      {"squared", "1/2 (z - y)^2", "squared"},
      {"epsilon:eps=E", "max(0, |z - y| - E)", "epsilon:eps=0.1"},
      {"squared-epsilon:eps=E", "1/2 max(0, |z - y| - E)^2", "squared-epsilon:eps=0.1"},
      {"huber:delta=D", "1/2 u^2, D (|u| - D/2) where |u| = |z - y| > D", "huber:delta=1"},
      {"pinball:tau=T", "max(T u, (T - 1) u), u = y - z", "pinball:tau=0.5"},
      {"one-class:nu=NU", "-rho + 1/(NU n) sum max(0, rho - z)", "one-class:nu=0.5"},
  };
  return rows;
}

Loss parse_loss(const std::string& text) {
  const std::string name = name_of(text);
  const auto plain = [&](const Loss& loss) {
    static_cast<void>(Arguments(text, {}));
    return loss;
  };
  const auto with = [&]<typename L>(L loss, double L::*field, const char* parameter) -> Loss {
    loss.*field = Arguments(text, {parameter}).number(parameter);
    loss.check_parameters();
    return loss;
  };
  if (name == "hinge") return plain(Hinge{});
  if (name == "squared-hinge") return plain(SquaredHinge{});
  if (name == "huber-hinge") return with(HuberHinge{}, &HuberHinge::h, "h");
  if (name == "logistic") return plain(Logistic{});
  if (name == "nu-svc") return with(NuSvc{}, &NuSvc::nu, "nu");
  if (name == "squared") return plain(Squared{});
  if (name == "epsilon") return with(Epsilon{}, &Epsilon::eps, "eps");
  if (name == "squared-epsilon") return with(SquaredEpsilon{}, &SquaredEpsilon::eps, "eps");
  if (name == "huber") return with(Huber{}, &Huber::delta, "delta");
  if (name == "pinball") return with(Pinball{}, &Pinball::tau, "tau");
  if (name == "one-class") return with(OneClass{}, &OneClass::nu, "nu");
  std::string known;
  for (const LossInfo& row : losses()) known += (known.empty() ? "" : ", ") + row.syntax;
  throw ParameterError(fmt::format("unknown loss '{}', known are {}", text, known));
}

}  // namespace kernmix
