// sum_i C_i l(y_i, z_i + b) of (P) and the gain sum_i -(C_i l)*(-a_i) of (D), for any loss.
#include "kernmix/loss.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>

#include "base/arguments.hpp"
#include "base/names.hpp"
#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "loss/any.hpp"
#include "loss/sums.hpp"

namespace kernmix {
namespace {

template <typename L>
std::string text_of(const L& loss) {
  std::string name = name_of(L::info().syntax);
  if constexpr (HasParameters<L>) {
    return text_with_parameters(name, loss);
  } else {
    return name;
  }
}

constexpr Named<Bias> bias_names[] = {
    {Bias::free, "free"}, {Bias::none, "none"}, {Bias::penalised, "penalised"}};

}  // namespace

std::string bias_name(Bias bias) { return name_in(bias_names, bias); }

Bias parse_bias(const std::string& text) {
  if (const auto bias = find_in(bias_names, text)) return *bias;
  throw ParameterError(
      fmt::format("unknown bias rule '{}', known are free, none, penalised", text));
}

Loss::Loss() : Loss(Hinge{}) {}
Loss::Loss(const std::string& text) : Loss(parse_loss(text)) {}
Loss::Loss(const char* text) : Loss(parse_loss(text)) {}
bool operator==(const Loss& left, const Loss& right) {
  return left.any_ == right.any_ || loss_text(left) == loss_text(right);
}

Loss::Loss(AnyLoss any) : any_(std::make_shared<const AnyLoss>(any)) {}

namespace {

/// (sum a)^2, which is 1 up to rounding. A loss of distances gains shift / 2 and loses about as
/// much as a'(shift - D)a / 2: with this factor the difference is a'Da / 2 to the last digits of
/// a'Da, where the rounding of the sum times the shift would exceed a small ball.
double squared_sum(ConstSpan a) {
  const double sum = std::accumulate(a.begin(), a.end(), 0.0);
  return sum * sum;
}

}  // namespace

double dual_gain(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C) {
  const double gain = visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return sum_gain(l, y, a, C);
        } else if constexpr (requires { L::on_distances; }) {
          return l.gain(y, a, C) * squared_sum(a);
        } else {
          return l.gain(y, a, C);
        }
      },
      loss);
  if (rule != Bias::penalised) return gain;
  const double bias = std::accumulate(a.begin(), a.end(), 0.0);
  return gain - 0.5 * bias * bias;
}

double gain_size(const Loss& loss, Bias rule, ConstSpan y, ConstSpan a, ConstSpan C) {
  const double size = visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return sum_gain_size(l, y, a, C);
        } else {
          return std::abs(l.gain(y, a, C));
        }
      },
      loss);
  if (rule != Bias::penalised) return size;
  double sum = 0.0;
  double of_sizes = 0.0;
  for (const double value : a) {
    sum += value;
    of_sizes += std::abs(value);
  }
  return size + std::abs(sum) * of_sizes;
}

LossPoint loss_at(const Loss& loss, Bias rule, ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) {
  return visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return sum_at(l, rule, y, z, a, C);
        } else if constexpr (JoinsClasses<L>) {
          return l.of(rule, y, C).at(z, a);
        } else {
          return l.at(y, z, a, C);
        }
      },
      loss);
}

DualSet dual_set(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C) {
  return visit(
      [&]<typename L>(const L& l) {
        if constexpr (IsSeparableLoss<L>) {
          return separable_dual_set(l, rule, y, C);
        } else if constexpr (JoinsClasses<L>) {
          return l.dual_set(rule, y, C);
        } else {
          return l.dual_set(y, C);
        }
      },
      loss);
}

Vector dual_curvature(const Loss& loss, ConstSpan y, ConstSpan a, ConstSpan C) {
  Vector curvature(a.size(), 0.0);
  visit(
      [&]<typename L>(const L& l) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          if constexpr (HasSmoothDual<L>) {
            curvature[i] = l.dual_curvature(y[i], a[i], C[i]);
          } else if constexpr (HasQuadraticDual<L>) {
            curvature[i] = l.quadratic_term(y[i], C[i]).diagonal;
          }
        }
      },
      loss);
  return curvature;
}

std::optional<QuadraticTerms> quadratic_terms(const Loss& loss, ConstSpan y, ConstSpan C) {
  return visit(
      [&]<typename L>(const L& l) -> std::optional<QuadraticTerms> {
        if constexpr (HasQuadraticDual<L>) {
          QuadraticTerms terms;
          for (std::size_t i = 0; i < y.size(); ++i) {
            const QuadraticTerm term = l.quadratic_term(y[i], C[i]);
            terms.linear.push_back(term.linear);
            terms.diagonal.push_back(term.diagonal);
            terms.kink.push_back(term.kink);
          }
          return terms;
        } else {
          return std::nullopt;
        }
      },
      loss);
}

bool has_smooth_dual(const Loss& loss) {
  return visit([]<typename L>(const L&) { return HasSmoothDual<L>; }, loss);
}

std::vector<Index> free_samples(const Loss& loss, const DualSet& set, ConstSpan y, ConstSpan a,
                                ConstSpan C) {
  std::vector<Index> free;
  visit(
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

bool takes_cost(const Loss& loss) {
  return visit([]<typename L>(const L&) { return !HasOwnWeight<L>; }, loss);
}

Target loss_target(const Loss& loss) {
  return visit([](const auto& l) { return l.target; }, loss);
}

bool gives_probability(const Loss& loss) {
  return visit(
      []<typename L>(const L&) {
        return requires { requires L::probability; };
      },
      loss);
}

bool joins_classes(const Loss& loss) {
  return visit([]<typename L>(const L&) { return JoinsClasses<L>; }, loss);
}

Index decision_functions(const Loss& loss, ConstSpan y) {
  return visit(
      [&]<typename L>(const L&) -> Index {
        if constexpr (JoinsClasses<L>) return L::functions(y);
        return 1;
      },
      loss);
}

Loss of_all_classes(const Loss& loss) {
  return visit(
      []<typename L>(const L& l) -> Loss {
        if constexpr (requires { typename L::OfAllClasses; }) return typename L::OfAllClasses();
        throw ParameterError(
            fmt::format("joint supports only the hinge of all classes, got {}: choose hinge or the "
                        "scheme one-vs-rest",
                        text_of(l)));
      },
      loss);
}

bool learns_threshold(const Loss& loss) {
  return visit([]<typename L>(const L&) { return !IsSeparableLoss<L> && !JoinsClasses<L>; }, loss);
}

bool on_distances(const Loss& loss) {
  return visit([]<typename L>(const L&) { return OnDistances<L>; }, loss);
}

Loss with_shift(const Loss& loss, double shift) {
  return visit(
      [&]<typename L>(L l) -> Loss {
        if constexpr (OnDistances<L>) l.shift = shift;
        return l;
      },
      loss);
}

bool uses_cost(const Loss& loss) {
  return visit([]<typename L>(const L&) { return !HasOwnWeight<L>; }, loss);
}

double loss_weight(const Loss& loss, double C, Index n) {
  return loss_weight_of_total(loss, C, static_cast<double>(n));
}

double loss_weight_of_total(const Loss& loss, double C, double total) {
  return visit(
      [&]<typename L>(const L& l) {
        if constexpr (HasOwnWeight<L>) {
          if (C != 1.0) {
            throw ParameterError(fmt::format("{} has no C but {}; leave C at 1", text_of(l),
                                             L::parameters.front().name));
          }
          return l.weight(total);
        } else {
          static_cast<void>(total);
          return C;
        }
      },
      loss);
}

void check_weight(double C, Index sample) {
  if (in_parameter_range(C)) return;
  throw ParameterError(
      fmt::format("C times the weights of class and sample must be in [{}, {}], sample {} has {}",
                  smallest_parameter, largest_parameter, sample + 1, C));
}

void check_bias(const Loss& loss, Bias rule) {
  if (joins_classes(loss) && rule == Bias::penalised) {
    throw ParameterError(
        "classes trained together have free biases or none; for a penalised bias add a constant "
        "kernel");
  }
  if (learns_threshold(loss) && rule != Bias::free) {
    throw ParameterError(
        fmt::format("{} has a threshold of its own: the bias must be free", loss_text(loss)));
  }
}

void check_loss(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C) {
  const bool signs = loss_target(loss) == Target::classes && !joins_classes(loss);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (signs && std::abs(y[i]) != 1.0) {
      throw DataError(fmt::format("labels must be +1 or -1, sample {} has {}", i + 1, y[i]));
    }
    if (!(std::abs(y[i]) <= largest_parameter)) {
      throw DataError(fmt::format("targets must be in [{}, {}], sample {} has {}",
                                  -largest_parameter, largest_parameter, i + 1, y[i]));
    }
    check_weight(C[i], static_cast<Index>(i));
  }
  visit(
      [&]<typename L>(const L& l) {
        if constexpr (HasParameters<L>) check_parameters(name_of(L::info().syntax), l);
        check_bias(loss, rule);
        if constexpr (JoinsClasses<L>) {
          l.check(y);
        } else if constexpr (!IsSeparableLoss<L>) {
          l.check(y, C);
        }
      },
      loss);
}

std::string loss_text(const Loss& loss) {
  return visit([](const auto& l) { return text_of(l); }, loss);
}

namespace {

template <typename L>
Loss parse_as(const std::string& text) {
  if constexpr (HasParameters<L>) {
    return parse_parameters<L>(text);
  } else {
    expect_no_arguments(text);
    return L{};
  }
}

}  // namespace

const std::vector<LossInfo>& losses() {
  static const std::vector<LossInfo> all = [] {
    std::vector<LossInfo> rows;
    for_each_type(std::type_identity<LossTypes>(),
                  [&]<typename L>() { rows.push_back(L::info()); });
    return rows;
  }();
  return all;
}

namespace {

constexpr std::array kOtherLosses = {
    OtherName{"svm", "hinge"},
    OtherName{"svc", "hinge"},
    OtherName{"csvc", "hinge"},
    OtherName{"l1svm", "hinge"},
    OtherName{"l2svm", "squared-hinge"},
    OtherName{"hinge2", "squared-hinge"},
    OtherName{"logit", "logistic"},
    OtherName{"log", "logistic"},
    OtherName{"logloss", "logistic"},
    OtherName{"crossentropy", "logistic"},
    OtherName{"mse", "squared"},
    OtherName{"l2", "squared"},
    OtherName{"leastsquares", "squared"},
    OtherName{"squarederror", "squared"},
    OtherName{"ridge", "squared"},
    OtherName{"epsiloninsensitive", "epsilon"},
    OtherName{"svr", "epsilon"},
    OtherName{"epsilonsvr", "epsilon"},
    OtherName{"mae", "epsilon:eps=0"},
    OtherName{"absolute", "epsilon:eps=0"},
    OtherName{"quantile", "pinball"},
    OtherName{"quantileregression", "pinball"},
    OtherName{"oneclasssvm", "one-class"},
    OtherName{"ocsvm", "one-class"},
    OtherName{"novelty", "one-class"},
    OtherName{"nusvm", "nu-svc"},
    OtherName{"smoothhinge", "huber-hinge"},
    OtherName{"modifiedhuber", "huber-hinge"},
    OtherName{"kernellogisticregression", "logistic"},
    OtherName{"klr", "logistic"},
    OtherName{"kernelridge", "squared"},
    OtherName{"kernelridgeregression", "squared"},
    OtherName{"krr", "squared"},
    OtherName{"lssvm", "squared"},
    OtherName{"l2svr", "squared-epsilon"},
    OtherName{"asymmetricleastsquares", "expectile"},
    OtherName{"expectileregression", "expectile"},
};

}  // namespace

Loss parse_loss(const std::string& text) {
  std::optional<Loss> found;
  for_each_type(std::type_identity<LossTypes>(), [&]<typename L>() {
    if (!found && name_of(L::info().syntax) == name_of(text)) found = parse_as<L>(text);
  });
  if (found) return *found;
  std::vector<std::string> known;
  for (const LossInfo& row : losses()) known.emplace_back(name_of(row.syntax));
  const std::string hint = did_you_mean(name_of(text), known, kOtherLosses);
  throw ParameterError(fmt::format("unknown loss '{}', known are {}{}", text,
                                   comma_list(losses(), &LossInfo::syntax),
                                   hint.empty() ? hint : ";" + hint.substr(1)));
}

}  // namespace kernmix
