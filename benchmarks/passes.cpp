/// \file
/// The bar in one number: everything after reading, as a multiple of one plain BLAS pass. The Gram
/// stack of the SimpleMKL protocol (unit trace, double precision, M x n^2) lies in memory; one pass
/// is all a'K_m a as one matrix-vector product. Measured are compression, solving to a gap of 1e-3
/// and its certificate on the stack itself. Passes and runs take turns, and the row is that of the
/// median ratio: machines are not equally fast all the time.
///
/// With `subsets`, the bank is 100 Gaussian kernels on random column subsets instead.
///
/// usage: bench_passes DATA.libsvm [C] [TRAINING SAMPLES] [subsets]

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <thread>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/kernmix.hpp"
#include "loss/any.hpp"
#include "protocol.hpp"
#include "regularizer/any.hpp"
#include "subsets.hpp"
#include "svm_solves.hpp"

namespace {

using namespace kernmix;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One Gram matrix of the stack, which its owner vouches for.
class StackSource final : public KernelSource {
 public:
  StackSource(const double* K, Index n) : K_(K), n_(n) {}
  Index rows() const override { return n_; }
  Index cols() const override { return n_; }
  bool always_psd() const override { return true; }
  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    double* entry = out.data();
    if (col_index.size() == 1) {  // of a symmetric matrix a column is a row
      for (const Index i : row_index) *entry++ = K_[col_index[0] * n_ + i];
      return;
    }
    bool whole = true;
    for (std::size_t k = 1; k < col_index.size(); ++k) {
      whole = whole && col_index[k] == col_index[k - 1] + 1;
    }
    for (const Index i : row_index) {
      const double* row = K_ + i * n_;
      if (whole) {
        entry = std::copy_n(row + col_index[0], col_index.size(), entry);
      } else {
        for (const Index j : col_index) *entry++ = row[j];
      }
    }
  }
  std::optional<Stored> stored() const override { return Stored{K_, n_, 1.0}; }
  void left_diagonal(MutableSpan out) const override {
    for (Index i = 0; i < n_; ++i) out[static_cast<std::size_t>(i)] = K_[i * n_ + i];
  }
  void right_diagonal(MutableSpan out) const override { left_diagonal(out); }

 private:
  const double* K_;
  Index n_;
};

/// `count` samples at random, as the protocol draws its training sets.
Table training_part(const Table& table, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(table.samples()));
  std::iota(order.begin(), order.end(), Index{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  order.resize(static_cast<std::size_t>(std::min<Index>(count, length(order))));
  Table part = table;
  part.values = Matrix(length(order), table.values.cols);
  part.labels.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ConstSpan row = table.values.row(order[i]);
    std::copy(row.begin(), row.end(),
              part.values.values.begin() + static_cast<Index>(i) * table.values.cols);
    part.labels.push_back(table.labels[static_cast<std::size_t>(order[i])]);
  }
  return part;
}

/// Gaussian kernels as they are, k(x, x) = 1.
std::unique_ptr<KernelBank> subset_bank(const Table& table) {
  constexpr Index kernels = 100;
  const Matrix scaled = Scaling::fit(ScalingRule::standard, table.values).apply(table.values);
  return exact_bank(subset_sources(scaled, kernels).sources);
}

RowMatrix gram_stack(const KernelBank& bank, bool unit_trace) {
  const Index n = bank.samples();
  std::vector<Index> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  RowMatrix stack(bank.kernels(), n * n);
  Vector K(static_cast<std::size_t>(n * n));
  for (Index m = 0; m < bank.kernels(); ++m) {
    bank.block(m, all, all, K);
    const auto matrix = as_vector(ConstSpan(K));
    double trace = 0.0;
    for (Index i = 0; i < n; ++i) trace += matrix[i * n + i];
    stack.row(m) = matrix.transpose() / (unit_trace && trace > 0.0 ? trace : 1.0);
  }
  return stack;
}

/// One pass with so many threads: the median of a few.
double seconds_of_pass(const RowMatrix& stack, const Vector& y, int threads) {
  constexpr std::size_t passes = 5;
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(threads);
  const auto a = as_vector(ConstSpan(y));
  const Eigen::MatrixXd outer = a * a.transpose();
  const Eigen::Map<const Eigen::VectorXd> vec(outer.data(), outer.size());
  Vector seconds;
  for (std::size_t k = 0; k < passes; ++k) {
    const auto start = Clock::now();
    const Eigen::VectorXd q = stack * vec;
    seconds.push_back(seconds_since(start) + 0.0 * q[0]);
  }
  end_blas_threads();  // or they spin beside what is measured next
  std::ranges::sort(seconds);
  return seconds[passes / 2];
}

/// The kernels to be read, and what is asked.
struct Bar {
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  Vector y;
  Vector C;
};

/// Seconds of one run after reading, and of the pass before it.
struct Timed {
  double pass, compression, solving, certificate;
  Index solves;
  double gap;

  [[nodiscard]] double all() const { return compression + solving + certificate; }
  [[nodiscard]] double ratio() const { return all() / pass; }
};

Timed timed_run(const Bar& bar, double tolerance, double pass, const Context& context) {
  const auto start = Clock::now();
  BankOptions bank_options;
  bank_options.double_precision = tolerance < 1e-4;
  const auto bank = build_bank(bar.sources, bar.names, bank_options, context);
  const double compressed = seconds_since(start);
  SolverOptions options;
  options.tolerance = tolerance;
  const Answer solution = solve({*bank, Hinge{}, L1{}, bar.y, bar.C}, options, context);
  const double solved = seconds_since(start);
  const ReferenceKernels exact(bar.sources);
  const Problem problem{exact.bank(), Hinge{}, L1{}, bar.y, bar.C};
  const Certificate certificate =
      exact.certify(problem, solution.d, solution.a, solution.witness, context).certificate;
  return {pass,
          compressed,
          solved - compressed,
          seconds_since(start) - solved,
          svm_solves(solution.history),
          certificate.relative_gap()};
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: bench_passes DATA.libsvm [C] [TRAINING SAMPLES] [subsets]\n");
    return 2;
  }
  const double C = count > 2 ? std::atof(arguments[2]) : 100.0;
  const Index samples = count > 3 ? std::atol(arguments[3]) : 246;
  const Table table = training_part(read_table({arguments[1]}, {}), samples);
  const Vector y = BinaryLabels::find(table.labels).encode(table.labels);
  const bool subsets = count > 4 && std::string(arguments[4]) == "subsets";
  const RowMatrix stack =
      subsets ? gram_stack(*subset_bank(table), false) : gram_stack(*protocol_bank(table), true);
  const auto n = static_cast<Index>(y.size());
  fmt::print(
      "{}: {} samples, {} {} kernels, C = {}; a pass reads {:.0f} MB, with as many threads\n\n",
      set_name(arguments[1]), n, stack.rows(), subsets ? "Gaussian" : "unit-trace", C,
      static_cast<double>(stack.size()) * 8e-6);
  fmt::print(
      "| threads | one pass, ms | tolerance | compression | solving | certificate | passes in all "
      "(of 9 runs) "
      "| SVM solves | "
      "relative gap |\n|---|---|---|---|---|---|---|---|---|\n");
  Bar bar{{}, {}, y, Vector(y.size(), C)};
  for (Index m = 0; m < stack.rows(); ++m) {
    bar.sources.push_back(std::make_shared<StackSource>(stack.row(m).data(), n));
    bar.names.push_back(fmt::format("K{}", m));
  }
  constexpr std::size_t runs = 9;
  Context context;
  for (context.threads = 1;
       context.threads <= static_cast<int>(std::thread::hardware_concurrency());
       context.threads *= 2) {
    for (const double tolerance : {1e-2, 1e-3, 1e-6}) {
      std::vector<Timed> all;
      while (all.size() < runs) {
        const double pass = seconds_of_pass(stack, y, context.threads);
        all.push_back(timed_run(bar, tolerance, pass, context));
      }
      std::ranges::sort(all, {}, &Timed::ratio);
      const Timed& run = all[runs / 2];
      fmt::print(
          "| {} | {:.1f} | {:g} | {:.2f} | {:.2f} | {:.2f} | {:.2f} ({:.1f} to {:.1f}) | {} | "
          "{:.1e} |\n",
          context.threads, 1e3 * run.pass, tolerance, run.compression / run.pass,
          run.solving / run.pass, run.certificate / run.pass, run.ratio(), all.front().ratio(),
          all.back().ratio(), run.solves, run.gap);
      std::fflush(stdout);
    }
  }
  return 0;
}
