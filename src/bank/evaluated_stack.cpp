#include "bank/evaluated_stack.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>
#include <variant>

#include "bank/plan.hpp"
#include "bank/stored_bank.hpp"
#include "base/samples.hpp"
#include "kernel/alike.hpp"
#include "kernel/subset_source.hpp"
#include "kernmix/bank/beyond_memory.hpp"

namespace kernmix {
namespace {

std::vector<Index> kernels_of(std::span<const Term> terms) {
  std::vector<Index> kernels;
  for (const Term& term : terms) kernels.push_back(term.kernel);
  return kernels;
}

bool any_nonzero(const Panel& A) {
  return std::any_of(A.values, A.values + A.rows * A.cols, [](double a) { return a != 0.0; });
}

}  // namespace

/// Triangles of kernels with weight, by kernel.
struct EvaluatedStack::Cache {
  std::mutex mutex;  // guards triangles
  std::vector<PackedKernel> triangles;
};

EvaluatedStack::EvaluatedStack(Index samples) : n_(samples) {}

EvaluatedStack::EvaluatedStack(std::vector<KernelSourcePtr> sources, std::vector<std::string> names,
                               const BankOptions& options, const EvaluationRoom& room)
    : n_(sources.front()->rows()),
      sources_(std::move(sources)),
      names_(std::move(names)),
      options_(options),
      room_(room),
      cache_(std::make_shared<Cache>()) {
  cache_->triangles.resize(sources_.size());
}

std::size_t EvaluatedStack::bytes() const { return room_.batch_bytes + room_.held_bytes; }

Index EvaluatedStack::triangles_in(std::size_t bytes) const {
  const std::size_t fit = bytes / packed_bytes(n_, options_.double_precision);
  return std::max<Index>(static_cast<Index>(fit), 1);
}

std::shared_ptr<StoredBank> EvaluatedStack::evaluated(std::span<const Index> chosen,
                                                      const Context& context) const {
  std::vector<PackedKernel> triangles;
  {
    const std::lock_guard lock(cache_->mutex);
    triangles = cache_->triangles;
  }
  std::vector<Index> missing;
  std::ranges::copy_if(chosen, std::back_inserter(missing), [&](Index k) {
    return std::holds_alternative<std::monostate>(triangles[to_size(k)]);
  });
  if (!missing.empty()) pack({sources_, names_, options_}, missing, triangles, context);
  auto bank = std::make_shared<StoredBank>(n_, length(chosen));
  for (Index k = 0; k < length(chosen); ++k) {
    const PackedKernel& kernel = triangles[to_size(chosen[to_size(k)])];
    if (const auto* single = std::get_if<Packed<float>>(&kernel)) bank->keep(k, *single);
    if (const auto* twice = std::get_if<Packed<double>>(&kernel)) bank->keep(k, *twice);
  }
  return bank;
}

Context EvaluatedStack::of_pass(const Context& context) const {
  using Clock = std::chrono::steady_clock;
  Context pass = context;
  pass.progress = nullptr;
  if (pass.deadline) {
    *pass.deadline +=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pass_seconds_));
  }
  return pass;
}

void EvaluatedStack::measure(const Context& context) {
  const Index batch = std::min(triangles_in(room_.batch_bytes), kernels());
  const auto begin = std::chrono::steady_clock::now();
  (void)evaluated(index_range(0, batch), of_pass(context));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  pass_seconds_ = seconds.count() * static_cast<double>(kernels()) / static_cast<double>(batch);
}

template <typename Body>
void EvaluatedStack::for_batches(std::span<const Index> chosen, const Context& context,
                                 const Body& body) const {
  const Index batch = triangles_in(room_.batch_bytes);
  const Context pass = of_pass(context);
  for (Index first = 0; first < length(chosen); first += batch) {
    const auto now = slice(chosen, first, std::min(first + batch, length(chosen)));
    body(*evaluated(now, pass), first);
  }
}

EvaluatedStack::Held EvaluatedStack::held(std::span<const Term> terms,
                                          const Context& context) const {
  if (terms.empty() || length(terms) > triangles_in(room_.held_bytes)) return {};
  const std::vector<Index> kernels = kernels_of(terms);
  std::vector<Index> missing;
  {
    const std::lock_guard lock(cache_->mutex);
    std::vector<PackedKernel> kept(sources_.size());
    for (const Index k : kernels) {
      kept[to_size(k)] = std::move(cache_->triangles[to_size(k)]);
      if (std::holds_alternative<std::monostate>(kept[to_size(k)])) missing.push_back(k);
    }
    cache_->triangles = std::move(kept);
  }
  const Context pass = of_pass(context);
  // One by one, because triangles that are evaluated together are freed together.
  for (const Index& k : missing) {
    std::vector<PackedKernel> own(sources_.size());
    pack({sources_, names_, options_}, {&k, 1}, own, pass);
    const std::lock_guard lock(cache_->mutex);
    cache_->triangles[to_size(k)] = std::move(own[to_size(k)]);
  }
  Held result{evaluated(kernels, pass), {}};
  for (Index k = 0; k < length(terms); ++k) {
    result.terms.push_back({k, terms[to_size(k)].weight});
  }
  return result;
}

Matrix EvaluatedStack::products(std::span<const Index> chosen, const DualVector& a,
                                const Context& context) const {
  return rows(chosen, a.dense, Reach::everywhere, context);
}

Matrix EvaluatedStack::panel_forms(std::span<const Index> chosen, const Panel& A,
                                   const Context& context) const {
  Matrix Q(A.rows, length(chosen));
  if (!any_nonzero(A)) return Q;
  for_batches(chosen, context, [&](const StoredBank& bank, Index first) {
    const Matrix own = all_panel_forms(bank, A, context);
    for (Index t = 0; t < own.rows; ++t) {
      std::ranges::copy(own.row(t), Q.row(t).begin() + first);
    }
  });
  return Q;
}

Matrix EvaluatedStack::rows(std::span<const Index> chosen, const Panel& A, Reach reach,
                            const Context& context) const {
  if (!any_nonzero(A)) return {length(chosen) * A.rows, reach == Reach::everywhere ? n_ : 0};
  Matrix U;
  for_batches(chosen, context, [&](const StoredBank& bank, Index first) {
    const Matrix own = bank.products(every_kernel(bank), A, reach, context).rows;
    if (U.rows == 0) U = Matrix(length(chosen) * A.rows, own.cols);
    std::ranges::copy(own.values, U.row(first * A.rows).begin());
  });
  return U;
}

void EvaluatedStack::add_panel_product(std::span<const Term> terms, const Panel& A, Matrix& Z,
                                       const Context& context) const {
  if (!any_nonzero(A)) return;
  const auto add = [&](const StoredBank& bank, ConstSpan weights) {
    const Matrix own = bank.combined(weights)->times(A, context);
    std::ranges::transform(own.values, Z.values, Z.values.begin(), std::plus<>());
  };
  Vector weights;
  for (const Term& term : terms) weights.push_back(term.weight);
  if (const Held all = held(terms, context); all.bank != nullptr) return add(*all.bank, weights);
  for_batches(kernels_of(terms), context, [&](const StoredBank& bank, Index first) {
    add(bank, ConstSpan(weights).subspan(to_size(first), to_size(bank.kernels())));
  });
}

void EvaluatedStack::add_block(std::span<const Term> terms, std::span<const Index> rows,
                               std::span<const Index> cols, MutableSpan out) const {
  const auto source = [&](Index t) -> const KernelSource& {
    return *sources_[to_size(terms[to_size(t)].kernel)];
  };
  Vector compared(out.size());
  Vector entries;
  for (const std::vector<Index>& same : alike(index_range(0, length(terms)), source)) {
    source(same.front()).compare(rows, cols, compared);
    for (const Index t : same) {
      entries = compared;
      source(t).finish(rows, cols, entries);
      const double weight = terms[to_size(t)].weight;
      for (std::size_t i = 0; i < out.size(); ++i) {
        // As it is stored.
        const double entry = options_.double_precision
                                 ? entries[i]
                                 : static_cast<double>(static_cast<float>(entries[i]));
        out[i] += weight * entry;
      }
    }
  }
}

double evaluation_seconds(const KernelBank& bank) {
  const auto* stored = dynamic_cast<const StoredBank*>(&bank);
  return stored != nullptr ? stored->evaluation_seconds() : 0.0;
}

EvaluatedStack EvaluatedStack::on_samples(std::span<const Index> samples) const {
  if (sources_.empty()) return EvaluatedStack(length(samples));
  const std::size_t triangle = packed_bytes(length(samples), options_.double_precision);
  const auto as_many = [&](std::size_t bytes) { return to_size(triangles_in(bytes)) * triangle; };
  const EvaluationRoom room{as_many(room_.batch_bytes), as_many(room_.held_bytes)};
  EvaluatedStack some(subset_sources(sources_, {samples.begin(), samples.end()}), names_, options_,
                      room);
  const double share = static_cast<double>(length(samples)) / static_cast<double>(n_);
  some.pass_seconds_ = share * share * pass_seconds_;
  return some;
}

}  // namespace kernmix
