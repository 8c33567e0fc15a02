#include "model/claims/prediction_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/kernel.hpp"
#include "model/claims/kernel_claims.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

constexpr Index kMostPredicted = 64;

/// Training kernel m as prediction has it: distances without their shift.
KernelSourcePtr seen_by(const Loss& loss, const KernelSourcePtr& source) {
  return on_distances(loss) ? distance_source(source, 0.0) : source;
}

double sum_of_sizes(ConstSpan values) {
  double sum = 0.0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

/// Decision values with the magnitude of what they are sums of.
struct Decisions {
  Matrix value;  ///< |samples| x |functions|
  Vector size;   ///< of each function
};

/// Adds d_m K_m a of every function.
void add_kernel(const KernelSource& source, const KernelSize& size, std::size_t m,
                const std::vector<DecisionFunction>& functions, const std::vector<Index>& samples,
                const std::vector<Index>& support, Decisions& decisions) {
  Matrix entries(length(samples), length(support));
  source.block(samples, support, entries.values);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const DecisionFunction& f = functions[k];
    for (Index i = 0; i < entries.rows; ++i) {
      const ConstSpan row = entries.row(i);
      decisions.value(i, static_cast<Index>(k)) +=
          f.d[m] * std::inner_product(row.begin(), row.end(), f.a.begin(), 0.0);
    }
    decisions.size[k] += f.d[m] * size.largest * sum_of_sizes(f.a);
  }
}

Decisions decide(const Model& model, const TrainingData& found,
                 const std::vector<DecisionFunction>& functions,
                 const std::vector<Index>& samples) {
  const Loss loss = parse_loss(model.settings.loss);
  Decisions decisions{Matrix(length(samples), length(functions)), {}};
  for (std::size_t k = 0; k < functions.size(); ++k) {
    decisions.size.push_back(std::abs(functions[k].bias));
    for (Index i = 0; i < decisions.value.rows; ++i) {
      decisions.value(i, static_cast<Index>(k)) = functions[k].bias;
    }
  }
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    if (model.kernels[m].weight == 0.0) continue;
    const KernelSourcePtr& source = found.kernels.sources[m];
    add_kernel(*seen_by(loss, source), size_of(*source, found.kernels.normalizations[m]), m,
               functions, samples, found.rows, decisions);
  }
  return decisions;
}

}  // namespace

std::vector<Index> samples_to_predict(Index n) {
  const Index count = std::min(n, kMostPredicted);
  std::vector<Index> samples;
  for (Index i = 0; i < count; ++i) samples.push_back(i * n / count);
  return samples;
}

Dataset samples_of(const Dataset& data, const std::vector<Index>& samples) {
  return part_of(data, samples, {}, {});
}

void check_predictions(Claims& claims, const Model& model, const TrainingData& found,
                       const std::vector<DecisionFunction>& functions,
                       const std::vector<Index>& samples, const Matrix& predicted) {
  claims.open("predictions");
  const Decisions exact = decide(model, found, functions, samples);
  for (Index i = 0; i < predicted.rows; ++i) {
    const Index sample = samples[to_size(i)];
    for (Index k = 0; k < predicted.cols; ++k) {
      const auto at = to_size(k);
      claims.compare("predictions",
                     fmt::format("the decision value{} of training sample {}", functions[at].whose,
                                 sample + 1),
                     predicted(i, k), exact.value(i, k), exact.size[at]);
    }
  }
}

}  // namespace kernmix
