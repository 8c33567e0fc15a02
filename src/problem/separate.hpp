#pragma once
/// \file
/// Certificates of separate tasks, from the certificate of each task as a problem.

#include <algorithm>
#include <iterator>

#include "kernmix/certificate.hpp"
#include "regularizer/any.hpp"

namespace kernmix {

/// Task k as a problem with its weights d, which replace a two-stage regularizer whose weights are
/// unknown.
[[nodiscard]] inline Problem alone_at(const Problem& problem, ConstSpan d, Index k) {
  Problem own = alone(problem, k);
  const auto* two_stage = get_if<TwoStage>(own.regularizer);
  if (two_stage == nullptr || two_stage->known()) return own;
  own.regularizer = with_chosen_weights(own.regularizer, {d.begin(), d.end()});
  return own;
}

inline void append(Certificate more, Certificate& all) {
  all.add(more);
  std::ranges::move(more.bias, std::back_inserter(all.bias));
  std::ranges::move(more.task_primal, std::back_inserter(all.task_primal));
  std::ranges::move(more.task_gap, std::back_inserter(all.task_gap));
}

inline void append_rows(const Matrix& more, Matrix& all) {
  all.values.insert(all.values.end(), more.values.begin(), more.values.end());
  all.rows += more.rows;
  all.cols = more.cols;
}

/// \param certify_one  Certificate(const Problem&, ConstSpan d, std::size_t k)
template <typename Certify>
[[nodiscard]] Certificate sum_of_tasks(const Problem& problem, ConstSpan d,
                                       const Certify& certify_one) {
  Certificate all;
  for (Index k = 0; k < problem.size(); ++k) {
    const ConstSpan own = weights_of(problem, d, k);
    append(certify_one(alone_at(problem, own, k), own, to_size(k)), all);
  }
  return all;
}

/// \param certify_one  CertifiedPoint(const Problem&, ConstSpan d, std::size_t k)
template <typename Certify>
[[nodiscard]] CertifiedPoint points_of_tasks(const Problem& problem, ConstSpan d,
                                             const Certify& certify_one) {
  CertifiedPoint all;
  const auto one = [&](const Problem& own, ConstSpan weights, std::size_t k) {
    CertifiedPoint point = certify_one(own, weights, k);
    append_rows(point.Z, all.Z);
    append_rows(point.Q, all.Q);
    return std::move(point.certificate);
  };
  all.certificate = sum_of_tasks(problem, d, one);
  return all;
}

}  // namespace kernmix
