// Combinations of factors, and the corresponding matrices.

#include <algorithm>
#include <cmath>
#include <map>

#include "bank/family/factor_stack.hpp"
#include "bank/family/incomplete_cholesky.hpp"
#include "bank/family/shared_basis.hpp"
#include "bank/reference/source_rows.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/symmetric.hpp"

namespace kernmix {
namespace {

/// H with H H' = B B', of the fewest columns.
RowMatrix shortened(const RowMatrix& B) {
  if (B.cols() <= B.rows()) return B;
  Matrix T(B.rows(), B.rows());
  as_matrix(T).noalias() = B * B.transpose();
  const Matrix H = core_factor(T, Context());
  return as_matrix(H).transpose();
}

}  // namespace

std::vector<float> FactorStack::transposed_factor(Index kernel) const {
  const Place& at = place(kernel);
  const Family& family = families_[at.family];
  std::vector<float> result(static_cast<std::size_t>(at.columns * n_));
  Eigen::Map<RowMatrixF> L(result.data(), at.columns, n_);
  const auto fill = [&]<typename T>(const std::vector<T>& values) {
    using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Rows> X(values.data(), n_, family.rank);
    if (family.G.size() == 0) {
      L = X.transpose().template cast<float>();
      return;
    }
    // Rounded before the product: a shared X is no more exact than that.
    const RowMatrixF G = family.G.middleCols(at.first, at.columns).template cast<float>();
    const RowMatrixF rounded = X.template cast<float>();
    L.noalias() = G.transpose() * rounded.transpose();
  };
  if (family.X.empty()) {
    fill(family.X32);
  } else {
    fill(family.X);
  }
  return result;
}

Index FactorStack::columns(std::span<const Term> terms) const {
  std::map<std::size_t, Index> of_family;
  for (const Term& term : terms) of_family[place(term.kernel).family] += place(term.kernel).columns;
  Index sum = 0;
  for (const auto& [family, count] : of_family) sum += std::min(count, families_[family].rank);
  return sum;
}

std::vector<StoredColumns> FactorStack::stored_columns(std::span<const Term> terms) const {
  std::vector<StoredColumns> columns;
  for (const Term& term : terms) {
    const Family& family = families_[place(term.kernel).family];
    if (family.G.size() > 0) return {};
    const double scale = std::sqrt(term.weight);
    if (family.X.empty()) {
      columns.push_back({family.X32.data(), family.rank, scale});
    } else {
      columns.push_back({family.X.data(), family.rank, scale});
    }
  }
  return columns;
}

std::vector<FactorStack::Core> FactorStack::cores(std::span<const Term> terms) const {
  std::map<std::size_t, std::vector<Term>> of_family;
  for (const Term& term : terms) of_family[place(term.kernel).family].push_back(term);
  std::vector<Core> result;
  for (const auto& [f, members] : of_family) {
    const RowMatrix& G = families_[f].G;
    if (G.size() == 0) {
      double weight = 0.0;
      for (const Term& term : members) weight += term.weight;
      const Index rank = families_[f].rank;
      result.push_back({f, std::sqrt(weight) * RowMatrix::Identity(rank, rank)});
      continue;
    }
    Index count = 0;
    for (const Term& term : members) count += place(term.kernel).columns;
    RowMatrix B(G.rows(), count);
    count = 0;
    for (const Term& term : members) {
      const Place& at = place(term.kernel);
      B.middleCols(count, at.columns) = std::sqrt(term.weight) * G.middleCols(at.first, at.columns);
      count += at.columns;
    }
    result.push_back({f, shortened(B)});
  }
  return result;
}

const RowMatrix& FactorStack::gram(const Family& family) const {
  constexpr Index most_rows = 4096;
  std::call_once(family.gram->once, [&] {
    const RowMatrix X = rows_of(family, spaced_samples(n_, most_rows));
    const double scale = static_cast<double>(n_) / static_cast<double>(X.rows());
    family.gram->matrix = scale * X.transpose() * X;
    // The rows of the samples that X interpolates are the identity: those that lie apart from all
    // others are among them, and hardly among evenly spaced ones.
    if (X.rows() < n_) family.gram->matrix.diagonal().array() += 1.0;
  });
  return family.gram->matrix;
}

void FactorStack::drop_negligible(std::vector<Core>& cores) const {
  std::vector<SymmetricEigen> eigen(cores.size());
  double trace = 0.0;
  for (std::size_t k = 0; k < cores.size(); ++k) {
    const Family& family = families_[cores[k].family];
    if (family.G.size() == 0) continue;
    eigen[k] = symmetric_eigen(cores[k].H.transpose() * gram(family) * cores[k].H);
    trace += eigen[k].values.sum();
  }
  for (std::size_t k = 0; k < cores.size(); ++k) {
    if (families_[cores[k].family].G.size() == 0) continue;
    const Eigen::VectorXd& lambda = eigen[k].values;
    const Index dropped =
        std::ranges::count_if(lambda, [&](double value) { return !worth_a_column(value, trace); });
    cores[k].H = cores[k].H * eigen[k].vectors.rightCols(lambda.size() - dropped);
  }
}

bool FactorStack::share_bases(std::span<const Term> terms) const {
  return std::ranges::all_of(
      terms, [&](const Term& term) { return families_[place(term.kernel).family].G.size() > 0; });
}

RowMatrix FactorStack::rows_of(const Family& family, std::span<const Index> rows) {
  RowMatrix X(length(rows), family.rank);
  for (Index r = 0; r < X.rows(); ++r) {
    family.copy_row(rows[static_cast<std::size_t>(r)], X.row(r).data());
  }
  return X;
}

void FactorStack::expand(const Core& core, std::span<const Index> rows,
                         Eigen::Ref<RowMatrix, 0, Eigen::OuterStride<>> out) const {
  const Family& family = families_[core.family];
  if (family.X32.empty() && consecutive(rows) && family.G.size() > 0) {
    const double* first = family.X.data() + rows.front() * family.rank;
    out.noalias() = Eigen::Map<const RowMatrix>(first, length(rows), family.rank) * core.H;
    return;
  }
  const RowMatrix X = rows_of(family, rows);
  if (family.G.size() == 0) {
    out = (core.H.size() > 0 ? core.H(0, 0) : 0.0) * X;
  } else {
    out.noalias() = X * core.H;
  }
}

void FactorStack::expand(const Core& core, std::span<const Index> rows,
                         Eigen::Ref<RowMatrixF, 0, Eigen::OuterStride<>> out) const {
  const Family& family = families_[core.family];
  if (!family.X32.empty() && consecutive(rows) && family.G.size() > 0) {
    const float* first = family.X32.data() + rows.front() * family.rank;
    const Eigen::Map<const RowMatrixF> X(first, length(rows), family.rank);
    out.noalias() = X * RowMatrixF(core.H.cast<float>());
    return;
  }
  RowMatrix exact(out.rows(), out.cols());
  expand(core, rows, exact);
  out = exact.cast<float>();
}

Matrix FactorStack::combined(std::span<const Term> terms, std::span<const Index> rows,
                             const Context& context) const {
  const std::vector<Core> parts = cores(terms);
  Matrix Z(length(rows), columns_of(parts));
  side_by_side(parts, rows, Z.values.data(), context);
  return Z;
}

WeightedFactor FactorStack::combined(std::span<const Term> terms, const Context& context) const {
  const std::vector<Core> parts = cores(terms);
  const Index rank = columns_of(parts);
  WeightedFactor Z{rank, std::vector<float>(static_cast<std::size_t>(n_ * rank))};
  side_by_side(parts, all_samples(n_), Z.values.data(), context);
  return Z;
}

Matrix FactorStack::shortest(std::span<const Term> terms, const Context& context) const {
  std::vector<Core> parts = cores(terms);
  drop_negligible(parts);
  Matrix Z(n_, columns_of(parts));
  side_by_side(parts, all_samples(n_), Z.values.data(), context);
  return Z;
}

std::vector<Vector> FactorStack::spectra(std::span<const Term> terms) const {
  std::vector<Vector> all;
  for (const Core& core : cores(terms)) {
    const RowMatrix& X = gram(families_[core.family]);
    const Eigen::VectorXd lambda = symmetric_eigen(core.H.transpose() * X * core.H).values;
    all.emplace_back(lambda.begin(), lambda.end());
  }
  return all;
}

bool FactorStack::worth_a_column(double eigenvalue, double trace) {
  constexpr double negligible = 1e-11;
  return eigenvalue > negligible * trace;
}

Index FactorStack::columns_of(const std::vector<Core>& parts) {
  Index sum = 0;
  for (const Core& core : parts) sum += core.H.cols();
  return sum;
}

template <typename T>
void FactorStack::side_by_side(const std::vector<Core>& parts, std::span<const Index> rows, T* out,
                               const Context& context) const {
  using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Index> first = {0};
  for (const Core& core : parts) first.push_back(first.back() + core.H.cols());
  Eigen::Map<Rows> Z(out, length(rows), first.back());
  constexpr Index rows_per_task = 256;
  const Index blocks = blocks_of(Z.rows(), rows_per_task);
  parallel_for(context, blocks * length(parts), [&](Index task) {
    const auto f = static_cast<std::size_t>(task / blocks);
    const Index begin = task % blocks * rows_per_task;
    const Index count = std::min(rows_per_task, Z.rows() - begin);
    if (parts[f].H.cols() == 0) return;
    expand(parts[f], slice(rows, begin, begin + count),
           Z.block(begin, first[f], count, parts[f].H.cols()));
  });
}

void WeightedFactor::add_tile(const Tile& tile, MutableSpan out) const {
  // Single precision within a chunk of columns, double precision over the chunks.
  constexpr Index chunk = 128;
  using Rows = Eigen::Map<const RowMatrixF, 0, Eigen::OuterStride<>>;
  Eigen::Map<RowMatrix> sum(out.data(), tile.rows(), tile.cols());
  RowMatrixF part(tile.rows(), tile.cols());
  for (Index first = 0; first < rank; first += chunk) {
    const Index width = std::min(chunk, rank - first);
    const float* begin = values.data() + first;
    const Rows left(begin + tile.row_begin * rank, tile.rows(), width, Eigen::OuterStride<>(rank));
    const Rows right(begin + tile.col_begin * rank, tile.cols(), width, Eigen::OuterStride<>(rank));
    part.noalias() = left * right.transpose();
    sum += part.cast<double>();
  }
}

void FactorStack::add_block(std::span<const Term> terms, std::span<const Index> rows,
                            std::span<const Index> cols, MutableSpan out) const {
  Eigen::Map<RowMatrix> sum(out.data(), length(rows), length(cols));
  for (const Core& core : cores(terms)) {
    RowMatrix left(length(rows), core.H.cols());
    RowMatrix right(length(cols), core.H.cols());
    if (core.H.cols() == 0) continue;
    expand(core, rows, left);
    expand(core, cols, right);
    sum.noalias() += left * right.transpose();
  }
}

}  // namespace kernmix
