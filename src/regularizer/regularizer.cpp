#include "kernmix/regularizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <numeric>
#include <optional>
#include <utility>

#include "base/arguments.hpp"
#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

constexpr double kWeightTolerance = 1e-7;

/// Checks |nearest - d| <= 1e-7 largest, for a D with one point or a projection.
void require_close(const std::string& name, ConstSpan d, ConstSpan nearest, double largest) {
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (std::abs(nearest[m] - d[m]) <= kWeightTolerance * largest) continue;
    throw ParameterError(
        fmt::format("the kernel weights are not in the set of {}: weight {} is {:.12g}, in the "
                    "nearest point of the set {:.12g}",
                    name, m + 1, d[m], nearest[m]));
  }
}

template <typename R>
void check_weights_of(const R& r, ConstSpan d, double largest) {
  if constexpr (HasFixedWeights<R>) {
    require_close(r.text(), d, r.initial_weights(length(d)), largest);
  } else if constexpr (HasProjection<R>) {
    Vector projected(d.begin(), d.end());
    r.project(projected);
    require_close(r.text(), d, projected, largest);
  } else if constexpr (HasWeightNorm<R>) {
    const double norm = r.weight_norm(d);
    if (norm <= 1.0 + kWeightTolerance) return;
    throw ParameterError(fmt::format(
        "the kernel weights are not in the set of {}: their norm is {:.12g}, at most 1 is allowed",
        r.text(), norm));
  } else {
    static_assert(HasSaddleWeights<R>, "how is a point of D recognised?");
  }
}

}  // namespace

Regularizer::Regularizer() : Regularizer(L1{}) {}
Regularizer::Regularizer(const std::string& text) : Regularizer(parse_regularizer(text)) {}
Regularizer::Regularizer(const char* text) : Regularizer(parse_regularizer(text)) {}
bool operator==(const Regularizer& left, const Regularizer& right) {
  return left.any_ == right.any_ || regularizer_text(left) == regularizer_text(right);
}

Regularizer::Regularizer(AnyRegularizer any)
    : any_(std::make_shared<const AnyRegularizer>(std::move(any))) {}

const std::vector<RegularizerInfo>& regularizers() {
  static const std::vector<RegularizerInfo> all = [] {
    std::vector<RegularizerInfo> rows;
    for_each_type(std::type_identity<RegularizerTypes>(), [&]<IsRegularizer R>() {
      for (RegularizerInfo& row : R::rows()) rows.push_back(std::move(row));
    });
    return rows;
  }();
  return all;
}

namespace {

constexpr std::array kOtherRegularizers = {
    OtherName{"elasticnet", "elastic-net"},
    OtherName{"elastic", "elastic-net"},
    OtherName{"enet", "elastic-net"},
    OtherName{"lasso", "l1"},
    OtherName{"simplex", "l1"},
    OtherName{"sparse", "l1"},
    OtherName{"l2", "lp:p=2"},
    OtherName{"lpnorm", "lp"},
    OtherName{"ridge", "lp-tikhonov:p=2"},
    OtherName{"grouplasso", "ckl:p=1,q=0"},
    OtherName{"group", "mixed-norm"},
    OtherName{"uniform", "average"},
    OtherName{"mean", "average"},
    OtherName{"averagemkl", "average"},
    OtherName{"none", "average"},
    OtherName{"unweighted", "sum"},
    OtherName{"linf", "lp:p=inf"},
    OtherName{"mkl", "l1"},
    OtherName{"l1mkl", "l1"},
    OtherName{"simplemkl", "l1"},
    OtherName{"mklgl", "l1"},
    OtherName{"l2mkl", "lp:p=2"},
    OtherName{"lpmkl", "lp"},
    OtherName{"elasticmkl", "elastic-net"},
    OtherName{"averagekernel", "average"},
    OtherName{"avekernel", "average"},
    OtherName{"sm1", "soft-margin"},
    OtherName{"boxnorm", "soft-margin"},
    OtherName{"sm2", "soft-margin-squared"},
    OtherName{"softmax", "entropy"},
    OtherName{"mixnorm", "mixed-norm"},
    OtherName{"vskl", "mixed-norm:q=inf"},
    OtherName{"cap", "ckl"},
    OtherName{"align", "alignment"},
    OtherName{"cka", "alignf"},
    OtherName{"easymkl", "easy"},
    OtherName{"ufomkl", "ufo"},
};

}  // namespace

Regularizer parse_regularizer(const std::string& text) {
  std::optional<Regularizer> found;
  for_each_type(std::type_identity<RegularizerTypes>(), [&]<IsRegularizer R>() {
    for (const RegularizerInfo& row : R::rows()) {
      if (!found && name_of(row.syntax) == name_of(text)) found = R::parse(text);
    }
  });
  if (found) return *found;
  std::vector<std::string> known;
  for (const RegularizerInfo& row : regularizers()) known.emplace_back(name_of(row.syntax));
  const std::string hint = did_you_mean(name_of(text), known, kOtherRegularizers);
  throw ParameterError(fmt::format("unknown regularizer '{}', known are {}{}", text,
                                   comma_list(regularizers(), &RegularizerInfo::syntax),
                                   hint.empty() ? hint : ";" + hint.substr(1)));
}

bool has_fixed_weights(const Regularizer& regularizer) {
  return visit([]<typename R>(const R&) { return HasFixedWeights<R>; }, regularizer);
}

Vector initial_weights(const Regularizer& regularizer, Index M) {
  return visit([&](const auto& r) { return r.initial_weights(M); }, regularizer);
}

void check_regularizer(const Regularizer& regularizer, Index M) {
  visit([&](const auto& r) { r.check(M); }, regularizer);
}

double omega(const Regularizer& regularizer, ConstSpan s) {
  return visit([&](const auto& r) { return r.omega(s); }, regularizer);
}

double conjugate(const Regularizer& regularizer, ConstSpan q) {
  return visit([&](const auto& r) { return r.conjugate(q); }, regularizer);
}

double penalty(const Regularizer& regularizer, ConstSpan d) {
  return visit([&](const auto& r) { return r.penalty(d); }, regularizer);
}

bool weights_sum_to_one(const Regularizer& regularizer) {
  constexpr double rounding = 1e-12;
  return visit(
      []<typename R>(const R& r) {
        if constexpr (std::same_as<R, Fixed>) {
          return std::abs(std::accumulate(r.w.begin(), r.w.end(), -1.0)) <= rounding;
        } else {
          return HasUnitSum<R>;
        }
      },
      regularizer);
}

Regularizer with_groups(const Regularizer& regularizer, const std::vector<Index>& group) {
  return visit(
      [&]<typename R>(R r) -> Regularizer {
        if constexpr (IsGrouped<R>) r.group = group;
        return r;
      },
      regularizer);
}

Regularizer with_chosen_weights(const Regularizer& regularizer, Vector d) {
  const auto* two_stage = get_if<TwoStage>(regularizer);
  if (two_stage == nullptr) return regularizer;
  TwoStage chosen = *two_stage;
  chosen.chosen.w = std::move(d);
  return chosen;
}

void check_weights(const Regularizer& regularizer, ConstSpan d) {
  double largest = 0.0;
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (!(d[m] >= 0.0 && std::isfinite(d[m]))) {
      throw ParameterError(
          fmt::format("kernel weights must be >= 0 and finite, weight {} is {}", m + 1, d[m]));
    }
    largest = std::max(largest, d[m]);
  }
  visit([&](const auto& r) { check_weights_of(r, d, largest); }, regularizer);
}

std::string regularizer_text(const Regularizer& regularizer) {
  return visit([](const auto& r) { return r.text(); }, regularizer);
}

}  // namespace kernmix
