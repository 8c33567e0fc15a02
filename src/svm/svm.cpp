#include "kernmix/svm/svm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/svm/smo.hpp"
#include "loss/any.hpp"
#include "loss/bias_search.hpp"
#include "svm/smo/working_set.hpp"

namespace kernmix {
namespace {

/// \throws ParameterError with the formatted message if the condition is false
template <typename... Values>
void require(bool holds, fmt::format_string<Values...> rule, Values&&... values) {
  if (!holds) throw ParameterError(fmt::format(rule, std::forward<Values>(values)...));
}

void check(std::span<const float> K, ConstSpan y, ConstSpan C, double relative_gap,
           ConstSpan start) {
  const std::size_t n = y.size();
  require(K.size() == n * n, "the kernel matrix must have {} x {} entries, got {}", n, n, K.size());
  require(C.size() == n, "C must have {} entries, got {}", n, C.size());
  require(start.empty() || start.size() == n, "the start must be empty or have {} entries, got {}",
          n, start.size());
  require(relative_gap > 0.0 && relative_gap < 1.0, "the relative gap must be in (0, 1), got {}",
          relative_gap);
  for (std::size_t i = 0; i < n; ++i) {
    require(y[i] == 1.0 || y[i] == -1.0, "label {} must be +1 or -1, got {}", i + 1, y[i]);
    require(C[i] > 0.0 && std::isfinite(C[i]), "C must be finite and > 0, got {} for sample {}",
            C[i], i + 1);
  }
}

/// z = K a in double precision, for K symmetric: a block of z gathers the rows of the support.
void exact_product(std::span<const float> K, ConstSpan a, MutableSpan z, const Context& context) {
  constexpr Index block = 2048;
  const Index n = length(a);
  parallel_blocks(context, n, block, [&](Index, Index begin, Index end) {
    const Index size = end - begin;
    std::fill_n(z.begin() + begin, size, 0.0);
    for (Index k = 0; k < n; ++k) {
      if (a[k] != 0.0) smo::add_row(a[k], K.data() + k * n + begin, z.data() + begin, size);
    }
  });
}

struct SvmBounds {
  double bias;
  double primal;
  double gap;

  [[nodiscard]] double relative() const { return primal > 0.0 ? gap / primal : 0.0; }
};

/// primal - dual = sum of the Fenchel-Young gaps at f = K a + b, because sum a = 0.
SvmBounds bounds(ConstSpan y, ConstSpan C, ConstSpan a, ConstSpan z) {
  const Hinge loss;
  SvmBounds result{best_bias(loss, y, z, C), 0.0, 0.0};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double f = z[i] + result.bias;
    result.primal += 0.5 * a[i] * z[i] + loss.value(y[i], f, C[i]);
    result.gap += loss.fenchel_young(y[i], f, a[i], C[i]);
  }
  return result;
}

}  // namespace

SvmResult train_svm(std::span<const float> K, ConstSpan y, ConstSpan C, double relative_gap,
                    const Context& context, ConstSpan start) {
  check(K, y, C, relative_gap, start);
  const DualSet set = dual_set(Hinge{}, Bias::free, y, C);
  SvmResult result;
  result.a.assign(y.size(), 0.0);
  result.z.assign(y.size(), 0.0);
  std::copy(start.begin(), start.end(), result.a.begin());
  make_feasible(set, result.a);

  const BoxProblem problem{length(y), K, y, set.lower, set.upper, {}, {}};
  const ExactProduct exact = [&](ConstSpan a, MutableSpan z) { exact_product(K, a, z, context); };
  const InnerGap gap = [&](ConstSpan a, ConstSpan z) { return bounds(y, C, a, z).relative(); };
  SmoOptions options;
  options.gap_target = relative_gap;
  const SmoResult inner = solve_smo(problem, exact, gap, options, result.a, result.z, context);

  const SvmBounds certified = bounds(y, C, result.a, result.z);
  result.bias = certified.bias;
  result.primal = certified.primal;
  result.dual = certified.primal - certified.gap;
  result.relative_gap = certified.relative();
  result.iterations = inner.iterations;
  result.converged = inner.converged;
  return result;
}

}  // namespace kernmix
