#include "kernmix/bank/bounded_products.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bank/checks.hpp"
#include "bank/family/family_build.hpp"
#include "bank/family/family_sketch.hpp"
#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"
#include "kernmix/bank/plan.hpp"

namespace kernmix {
namespace {

constexpr Index samples_per_product_block = 1024;

double norm(ConstSpan v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

/// A family while its kernels are evaluated.
struct OpenFamily {
  FamilyBasis basis;      ///< with X' for columns
  Vector error;           ///< sqrt(E_i / trace K): the same for each kernel of the family
  double total = 0.0;     ///< sqrt(sum_i error_i^2)
  std::vector<Vector> v;  ///< X'a of each request
  Vector spread;          ///< sum_p |X_ip|
};

/// K[P, :] times the vectors of all requests, from one evaluation.
struct PivotProducts {
  std::vector<Vector> f;         ///< f^, length n, of each request
  std::vector<Vector> on_pivot;  ///< K[P, :] a
};

/// What rounding adds to the products with one kernel, whose entries are |K_ij| <= r_i r_j with the
/// roots r of its diagonal. With sums of at most N terms, where v is X'a up to N u |X|'|a|,
///
///   |f^_i|, |h_i|  are off by at most  N u r_i size,   size = sum_i r_i |a_i| + sum_p r_p |v_p|,
///
/// of which (K a)_i takes that of f^_i and sum_p |X_ip| times those of h_p, and a'K a three times
/// sum_p r_p |v_p|.
struct FamilyRounding {
  double product;          ///< N u size
  double largest_pivot;    ///< max_p r_p
  double direction = 0.0;  ///< of |sum_i a_i phi_i - sum_p v_p phi_p|
  double form;             ///< of v'K[P, P]v + 2 v'h

  FamilyRounding(const OpenFamily& family, ConstSpan a, ConstSpan v, ConstSpan roots, Index terms)
      : largest_pivot(0.0) {
    const double relative =
        static_cast<double>(terms) * 0.5 * std::numeric_limits<double>::epsilon();
    double of_v = 0.0;
    for (std::size_t p = 0; p < v.size(); ++p) {
      const double root = roots[static_cast<std::size_t>(family.basis.found.pivots[p])];
      of_v += root * std::abs(v[p]);
      largest_pivot = std::max(largest_pivot, root);
    }
    double of_a = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      of_a += roots[i] * std::abs(a[i]);
      direction += relative * largest_pivot * std::abs(a[i]) * family.spread[i];
    }
    product = relative * (of_a + of_v);
    form = 4.0 * of_v * product;
  }
};

class BoundedEvaluation {
 public:
  BoundedEvaluation(const std::vector<KernelSourcePtr>& sources,
                    std::span<const ProductRequest> requests, const Context& context)
      : sources_(sources), requests_(requests), context_(context), n_(sources.front()->rows()) {
    for (const ProductRequest& request : requests) {
      const auto n = static_cast<std::size_t>(n_);
      results_.push_back({Vector(n, 0.0), Vector(n, 0.0), Vector(request.d.size(), 0.0),
                          Vector(request.d.size(), 0.0)});
    }
  }

  void add_exactly(const std::vector<Index>& kernels);
  /// False where no basis was found.
  bool add_family(const FamilySketch& sketch, double tolerance);
  std::vector<BankProducts> finished() { return std::move(results_); }

 private:
  [[nodiscard]] Index blocks() const { return blocks_of(n_, samples_per_product_block); }
  template <typename Body>
  void for_blocks(const Body& body) const {
    parallel_blocks(context_, n_, samples_per_product_block, body);
  }
  /// Sums parts of all blocks in their order.
  [[nodiscard]] static Vector in_order(const std::vector<Vector>& parts);
  [[nodiscard]] OpenFamily open(FamilyBasis basis) const;
  [[nodiscard]] PivotProducts evaluate(const KernelSource& kernel, const OpenFamily& family) const;
  void add_kernel(Index m, double trace, const OpenFamily& family);

  const std::vector<KernelSourcePtr>& sources_;
  std::span<const ProductRequest> requests_;
  const Context& context_;
  Index n_;
  std::vector<BankProducts> results_;
};

void BoundedEvaluation::add_exactly(const std::vector<Index>& kernels) {
  if (kernels.empty()) return;
  const std::vector<KernelSourcePtr> chosen = entries_at(sources_, kernels);
  Matrix d(length(requests_), length(kernels));
  std::vector<ProductRequest> requests;
  for (Index r = 0; r < d.rows; ++r) {
    const ProductRequest& request = requests_[static_cast<std::size_t>(r)];
    std::ranges::transform(kernels, d.row(r).begin(),
                           [&](Index m) { return request.d[static_cast<std::size_t>(m)]; });
    requests.push_back({d.row(r), request.a});
  }
  const std::vector<BankProducts> products = entry_products(chosen, requests, context_);
  for (std::size_t r = 0; r < products.size(); ++r) {
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      results_[r].q[static_cast<std::size_t>(kernels[k])] = products[r].q[k];
      results_[r].q_error[static_cast<std::size_t>(kernels[k])] = products[r].q_error[k];
    }
    simd::add_scaled(1.0, products[r].z.data(), results_[r].z.data(), n_);
    simd::add_scaled(1.0, products[r].z_error.data(), results_[r].z_error.data(), n_);
  }
}

Vector BoundedEvaluation::in_order(const std::vector<Vector>& parts) {
  Vector sum = parts.front();
  for (std::size_t b = 1; b < parts.size(); ++b) {
    simd::add_scaled(1.0, parts[b].data(), sum.data(), length(sum));
  }
  return sum;
}

OpenFamily BoundedEvaluation::open(FamilyBasis basis) const {
  OpenFamily family;
  family.basis = std::move(basis);
  const Factorization& found = family.basis.found;
  double sum = 0.0;
  for (const double residual : found.residual) {
    // What the residual is, and what rounding may hide of it.
    const double rest =
        std::max(residual, 0.0) + rounding_level(found.rank(), family.basis.largest);
    family.error.push_back(std::sqrt(rest));
    sum += rest;
  }
  family.total = std::sqrt(sum);
  interpolate(family.basis, context_);
  const Matrix& columns = family.basis.found.columns;
  family.spread.assign(static_cast<std::size_t>(n_), 0.0);
  for (Index p = 0; p < columns.rows; ++p) {
    std::ranges::transform(family.spread, columns.row(p), family.spread.begin(),
                           [](double so_far, double value) { return so_far + std::abs(value); });
  }
  for (const ProductRequest& request : requests_) {
    std::vector<Vector> parts(static_cast<std::size_t>(blocks()));
    for_blocks([&](Index b, Index begin, Index end) {
      Vector& v = parts[static_cast<std::size_t>(b)];
      for (Index p = 0; p < columns.rows; ++p) {
        v.push_back(
            simd::dot(columns.row(p).data() + begin, request.a.data() + begin, end - begin));
      }
    });
    family.v.push_back(in_order(parts));
  }
  return family;
}

PivotProducts BoundedEvaluation::evaluate(const KernelSource& kernel,
                                          const OpenFamily& family) const {
  const std::vector<Index>& P = family.basis.found.pivots;
  const Index rank = length(P);
  const std::vector<Index> samples = all_samples(n_);
  PivotProducts products;
  products.f.assign(requests_.size(), Vector(static_cast<std::size_t>(n_), 0.0));
  std::vector<std::vector<Vector>> parts(requests_.size(),
                                         std::vector<Vector>(static_cast<std::size_t>(blocks())));
  for_blocks([&](Index b, Index begin, Index end) {
    Matrix rows(rank, end - begin);
    kernel.block(P, slice(samples, begin, end), rows.values);
    for (std::size_t r = 0; r < requests_.size(); ++r) {
      simd::add_rows(rows.values.data(), rows.cols, nullptr, family.v[r].data(), rank,
                     products.f[r].data() + begin, rows.cols);
      Vector& on_pivot = parts[r][static_cast<std::size_t>(b)];
      for (Index p = 0; p < rank; ++p) {
        on_pivot.push_back(simd::dot(rows.row(p).data(), requests_[r].a.data() + begin, rows.cols));
      }
    }
  });
  for (const auto& part : parts) products.on_pivot.push_back(in_order(part));
  return products;
}

void BoundedEvaluation::add_kernel(Index m, double trace, const OpenFamily& family) {
  const auto at = static_cast<std::size_t>(m);
  const Matrix& columns = family.basis.found.columns;
  const std::vector<Index>& P = family.basis.found.pivots;
  const PivotProducts products = evaluate(*sources_[at], family);
  Vector roots(static_cast<std::size_t>(n_));
  sources_[at]->left_diagonal(roots);
  for (double& value : roots) value = std::sqrt(std::max(value, 0.0));
  // simd::dot has at least four sums.
  const Index terms =
      samples_per_product_block / 4 + blocks() + 2 * columns.rows + length(sources_) + 32;
  for (std::size_t r = 0; r < requests_.size(); ++r) {
    const Vector& f = products.f[r];
    Vector h = products.on_pivot[r];
    double form = 0.0;
    for (std::size_t p = 0; p < P.size(); ++p) {
      const double on_pivot = f[static_cast<std::size_t>(P[p])];  // (K[P, P] v)_p
      h[p] -= on_pivot;
      form += family.v[r][p] * (on_pivot + 2.0 * h[p]);
    }
    const FamilyRounding rounding(family, requests_[r].a, family.v[r], roots, terms);
    const double gamma =
        norm(requests_[r].a) * std::sqrt(trace) * family.total + rounding.direction;
    BankProducts& result = results_[r];
    result.q[at] = std::max(form - rounding.form, 0.0);
    result.q_error[at] = std::max(form + rounding.form, 0.0) - result.q[at] + gamma * gamma;
    const double weight = requests_[r].d[at];
    if (weight == 0.0) continue;
    for (double& value : h) value *= weight;
    for_blocks([&](Index, Index begin, Index end) {
      double* z = result.z.data() + begin;
      simd::add_scaled(weight, f.data() + begin, z, end - begin);
      simd::add_rows(columns.values.data() + begin, n_, nullptr, h.data(), columns.rows, z,
                     end - begin);
      simd::add_scaled(weight * gamma * std::sqrt(trace), family.error.data() + begin,
                       result.z_error.data() + begin, end - begin);
      for (Index i = begin; i < end; ++i) {
        const auto own = static_cast<std::size_t>(i);
        result.z_error[own] +=
            weight * rounding.product * (roots[own] + rounding.largest_pivot * family.spread[own]);
      }
    });
  }
}

bool BoundedEvaluation::add_family(const FamilySketch& sketch, double tolerance) {
  std::vector<const KernelSource*> kernels;
  for (const Index m : sketch.kernels)
    kernels.push_back(sources_[static_cast<std::size_t>(m)].get());
  FamilyBasis basis =
      family_basis(kernels, sketch.pivots, tolerance, std::min(n_, 2 * sketch.rank + 64), context_);
  if (basis.found.outcome != Factorization::Outcome::complete) return false;
  const OpenFamily family = open(std::move(basis));
  for (std::size_t k = 0; k < sketch.kernels.size(); ++k) {
    stop_if_asked(context_);
    add_kernel(sketch.kernels[k], family.basis.traces[k], family);
  }
  return true;
}

}  // namespace

std::shared_ptr<const MemoryPlan::Families> bounding_families(
    const std::vector<KernelSourcePtr>& sources, double tolerance, const Context& context) {
  BankOptions options;
  options.factor_tolerance = tolerance;
  const MemoryPlan plan = plan_bank(sources, options, context);
  auto outlines = std::make_shared<MemoryPlan::Families>();
  for (const FamilySketch& sketch : plan.families->families) {
    outlines->families.push_back(outline(sketch));
  }
  return outlines;
}

std::vector<BankProducts> bounded_products(const std::vector<KernelSourcePtr>& sources,
                                           const FamilySketches& families, double tolerance,
                                           std::span<const ProductRequest> requests,
                                           const Context& context) {
  const SerialBlas serial;
  BoundedEvaluation evaluation(sources, requests, context);
  std::vector<char> done(sources.size(), 0);
  for (const FamilySketch& sketch : families.families) {
    if (!evaluation.add_family(sketch, tolerance)) continue;
    for (const Index m : sketch.kernels) done[static_cast<std::size_t>(m)] = 1;
  }
  std::vector<Index> others;
  for (Index m = 0; m < length(done); ++m) {
    if (done[static_cast<std::size_t>(m)] == 0) others.push_back(m);
  }
  evaluation.add_exactly(others);
  return evaluation.finished();
}

std::size_t bounded_products_bytes(const MemoryPlan& plan, Index n, Index requests,
                                   const Context& context) {
  constexpr Index room = 8;     // columns that no pivot was known for, of the 16 reserved
  constexpr Index vectors = 6;  // diagonals, residuals, errors and roots
  Index longest = 0;
  for (const FamilySketch& family : plan.families->families) {
    longest = std::max(longest, family.rank);
  }
  const Index basis = longest > 0 ? n * (longest + room + vectors) : 0;
  const Index blocks = context.workers() * longest * samples_per_product_block;
  const auto numbers = to_size(basis + blocks + 3 * requests * n);
  return std::max(plan.families->bytes, numbers * sizeof(double));
}

}  // namespace kernmix
