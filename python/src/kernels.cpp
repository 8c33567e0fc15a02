#include "kernels.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <memory>

#include "data.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/classical/alignment.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "run.hpp"
#include "values.hpp"

namespace kernmix::python {
namespace {

using Names = std::vector<std::string>;
using StackArray = nb::ndarray<nb::numpy, double, nb::ndim<3>>;

Records records_of(const std::vector<KernelDescription>& kernels) {
  Records list;
  for (const KernelDescription& kernel : kernels) list.append(record_of(kernel));
  return list;
}

StackArray stack_of(Vector values, std::size_t M, Index rows, Index cols) {
  auto* const kept = new Vector(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Vector*>(p); });
  static double none = 0.0;
  return {kept->empty() ? &none : kept->data(), {M, to_size(rows), to_size(cols)}, owner};
}

/// The one kernel that `text` names, without views.
KernelDescription only_kernel(const std::string& text, Index columns) {
  ViewNames view{"X", {}, KernelInput::features};
  for (Index j = 0; j < columns; ++j) view.columns.push_back(std::to_string(j + 1));
  const auto kernels = expand_kernels({text}, {view}, parse_normalization("none"));
  if (kernels.size() != 1) {
    throw ParameterError("'" + text + "' are " + std::to_string(kernels.size()) +
                         " kernels, one is needed");
  }
  return kernels.front();
}

KernelSourcePtr source_of(const std::string& text, const ConstMatrix& X, const ConstMatrix& Z) {
  const KernelDescription kernel = only_kernel(text, X.cols);
  if (!kernel.relative_width) return feature_source(kernel.function, X, Z);
  const double width = typical_distances(kernel.function, Z).width(*kernel.relative_width);
  return feature_source(with_width(kernel.function, width), X, Z);
}

Matrix matrix_of(const std::string& text, const MatrixArgument& X,
                 const std::optional<MatrixArgument>& Z, int threads) {
  const ConstMatrix left = borrowed(X, "X");
  const ConstMatrix right = Z ? borrowed(*Z, "Z") : left;
  if (left.cols != right.cols) {
    throw ParameterError("X has " + std::to_string(left.cols) + " columns, Z has " +
                         std::to_string(right.cols));
  }
  Run run({threads});
  Matrix matrix(left.rows, right.rows);
  run([&] { matrix.values = all_entries({source_of(text, left, right)}, run.context()); });
  return matrix;
}

/// Fitted kernels, and calls on them.
class KernelStack {
 public:
  KernelStack(const Data& data, Names kernels, const Names& scaling,
              const std::string& normalization, int threads, std::optional<std::size_t> memory,
              std::optional<double> time_limit) {
    TrainOptions options;
    options.kernels = std::move(kernels);
    options.scaling = parse_scaling(scaling);
    options.normalization = parse_normalization_choice(normalization);
    Run run({threads, memory, time_limit});
    run([&] { fitted_ = std::make_shared<FittedKernels>(data.shared(), options, run.context()); });
    run.rethrow();
  }

  [[nodiscard]] Records kernels() const {
    Records list = records_of(fitted_->descriptions());
    std::size_t m = 0;
    for (const nb::handle record : list)
      record[nb::str("scale")] = fitted_->normalizations()[m++].scale;
    return list;
  }

  [[nodiscard]] Record scaling() const { return scaling_rules(fitted_->scaled_views()); }

  [[nodiscard]] StackArray training(int threads, std::optional<std::size_t> memory,
                                    std::optional<double> time_limit) const {
    return entries([&] { return fitted_->training(); }, {threads, memory, time_limit});
  }

  [[nodiscard]] StackArray between(const Data& data, int threads, std::optional<std::size_t> memory,
                                   std::optional<double> time_limit) const {
    const auto kept = data.shared();
    return entries([&] { return fitted_->between(*kept); }, {threads, memory, time_limit});
  }

  [[nodiscard]] Vector alignment(const VectorArgument& y, int threads) const {
    const Vector targets = vector_of(y);
    const auto bank = exact_bank(fitted_->training());
    if (length(targets) != bank->samples()) {
      throw ParameterError("there are " + std::to_string(targets.size()) + " targets for " +
                           std::to_string(bank->samples()) + " samples");
    }
    Run run({threads});
    Vector values;
    run([&] { values = align(*bank, targets, run.context()).alignment; });
    return values;
  }

 private:
  /// All entries of the kernels that `make` returns.
  static StackArray entries(const std::function<std::vector<KernelSourcePtr>()>& make,
                            Resources resources) {
    Run run(std::move(resources));
    std::vector<KernelSourcePtr> sources;
    Vector values;
    run([&] {
      sources = make();
      values = all_entries(sources, run.context());
    });
    run.rethrow();
    return stack_of(std::move(values), sources.size(), sources.front()->rows(),
                    sources.front()->cols());
  }

  std::shared_ptr<const FittedKernels> fitted_;
};

}  // namespace

void bind_kernels(nb::module_& module) {
  module.def(
      "expand_kernels",
      [](const Data& data, const Names& kernels, const std::string& normalization) {
        TrainOptions options;
        options.kernels = kernels;
        options.normalization = parse_normalization_choice(normalization);
        return records_of(expand_kernels(*data, options));
      },
      nb::arg("data"), nb::arg("kernels") = Names(), nb::arg("normalization") = "auto",
      "The kernels that training takes: name, view, group, function, parameters, columns, "
      "from_matrix, normalization of "
      "each; gamma is not a number where a width follows from the data.");
  module.def(
      "kernel_matrix",
      [](const std::string& function, const MatrixArgument& X,
         const std::optional<MatrixArgument>& Z,
         int threads) { return array_of(matrix_of(function, X, Z, threads)); },
      nb::arg("function"), nb::arg("X").noconvert(), nb::arg("Z").noconvert() = nb::none(),
      nb::kw_only(), nb::arg("threads") = 1,
      "(|X|, |Z|) of one kernel, such as \"rbf(gamma=0.5)\", between the rows of X and Z; relative "
      "widths are those of Z.");
  nb::class_<KernelStack>(module, "KernelStack",
                          "Kernels with what they learn from training samples.")
      .def(nb::init<const Data&, Names, const Names&, const std::string&, int,
                    std::optional<std::size_t>, std::optional<double>>(),
           nb::arg("data"), nb::arg("kernels") = Names(), nb::kw_only(),
           nb::arg("scaling") = Names(), nb::arg("normalization") = "auto", nb::arg("threads") = 1,
           nb::arg("memory") = nb::none(), nb::arg("time_limit") = nb::none())
      .def_prop_ro("kernels", &KernelStack::kernels, "As of expand_kernels, with widths and scale")
      .def_prop_ro("scaling", &KernelStack::scaling, "Of each view, the rule that was taken")
      .def("training", &KernelStack::training, nb::kw_only(), nb::arg("threads") = 1,
           nb::arg("memory") = nb::none(), nb::arg("time_limit") = nb::none(), "(M, n, n)")
      .def("between", &KernelStack::between, nb::arg("data"), nb::kw_only(), nb::arg("threads") = 1,
           nb::arg("memory") = nb::none(), nb::arg("time_limit") = nb::none(), "(M, new, n)")
      .def(
          "alignment",
          [](const KernelStack& stack, const VectorArgument& y, int threads) {
            return array_of(stack.alignment(y, threads));
          },
          nb::arg("y").noconvert(), nb::kw_only(), nb::arg("threads") = 1,
          "(M,): centred alignment of each kernel with y y'.");
}

}  // namespace kernmix::python
