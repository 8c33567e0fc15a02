/// \file
/// Products of factors K_m = X T_m X', T_m = G_m G_m', with the rows of A at once: V = A X, then
///
///   A_t K_m A_t' = |V_t G_m|^2,    A sum_m d_m K_m = (V sum_m d_m T_m) X'.

#include "bank/family/factor_stack.hpp"
#include "bank/packed/panel.hpp"
#include "base/parallel.hpp"

namespace kernmix {
namespace {

constexpr Index rows_per_product = 512;
/// Parts of the samples that have sums of their own.
constexpr Index projection_parts = 8;

}  // namespace

RowMatrix FactorStack::rows_of(const Family& family, Index begin, Index end) const {
  RowMatrix X(end - begin, family.rank);
  for (Index i = begin; i < end; ++i) family.copy_row(i, X.row(i - begin).data());
  return X;
}

RowMatrix FactorStack::project_panel(const Family& family, const Panel& A,
                                     const Context& context) const {
  std::vector<RowMatrix> parts(static_cast<std::size_t>(projection_parts));
  parallel_for(context, projection_parts, [&](Index part) {
    RowMatrix& V = parts[static_cast<std::size_t>(part)];
    V.setZero(A.rows, family.rank);
    const Index last = n_ * (part + 1) / projection_parts;
    for (Index begin = n_ * part / projection_parts; begin < last; begin += rows_per_product) {
      const Index end = std::min(begin + rows_per_product, last);
      V.noalias() += as_matrix(A).middleCols(begin, end - begin) * rows_of(family, begin, end);
    }
  });
  for (std::size_t part = 1; part < parts.size(); ++part) parts[0] += parts[part];
  return std::move(parts[0]);
}

Matrix FactorStack::panel_forms(std::span<const Index> chosen, const Panel& A,
                                const Context& context) const {
  std::vector<RowMatrix> W(families_.size());
  for (const std::size_t f : families_of(chosen)) {
    RowMatrix V = project_panel(families_[f], A, context);
    W[f] = families_[f].G.size() > 0 ? RowMatrix(V * families_[f].G) : std::move(V);
  }
  Matrix Q(A.rows, length(chosen));
  for (Index k = 0; k < Q.cols; ++k) {
    const Place& at = place(chosen[static_cast<std::size_t>(k)]);
    as_matrix(Q).col(k) = W[at.family].middleCols(at.first, at.columns).rowwise().squaredNorm();
  }
  return Q;
}

void FactorStack::add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                                    const Context& context) const {
  for (const Core& core : cores(terms)) {
    const Family& family = families_[core.family];
    const RowMatrix V = project_panel(family, A, context) * core.H * core.H.transpose();
    const Index blocks = (n_ + rows_per_product - 1) / rows_per_product;
    parallel_for(context, blocks, [&](Index b) {
      const Index begin = b * rows_per_product;
      const Index end = std::min(begin + rows_per_product, n_);
      as_matrix(Z).middleCols(begin, end - begin).noalias() +=
          V * rows_of(family, begin, end).transpose();
    });
  }
}

}  // namespace kernmix
