#pragma once
/// \file
/// The SimpleMKL protocol (Rakotomamonjy et al. 2008): Gaussian kernels of ten widths and
/// polynomials of degree 1 to 3, on all columns and on each; kernels in memory, double precision.

#include <filesystem>
#include <string>

#include "kernmix/bank/build.hpp"
#include "kernmix/kernmix.hpp"

namespace kernmix {

/// "heart" for FOLDER/heart/data.libsvm.
[[nodiscard]] inline std::string set_name(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().filename().string();
  return folder.empty() ? file : folder;
}

[[nodiscard]] inline std::unique_ptr<KernelBank> protocol_bank(const Table& table) {
  const auto scaled = std::make_shared<const Matrix>(
      Scaling::fit(ScalingRule::standard, table.values).apply(table.values));
  const std::vector<std::string> expressions = {
      "rbf(width=2^-3..2^6) on all", "rbf(width=2^-3..2^6) on all, each",
      "poly(degree=1..3, coef0=1) on all", "poly(degree=1..3, coef0=1) on all, each"};
  std::vector<KernelSourcePtr> sources;
  std::vector<std::string> names;
  for (const KernelDescription& kernel :
       expand_kernels(expressions, {{"data", table.columns, KernelInput::features}},
                      parse_normalization("trace"))) {
    Table view = table;
    view.values = *scaled;
    const auto columns = std::make_shared<const Matrix>(select_columns(view, kernel.columns));
    const auto source = feature_source(kernel.function, columns, columns);
    sources.push_back(
        normalized_source(source, fit_normalization(kernel.normalization, *source), true));
    names.push_back(kernel.name());
  }
  BankOptions options;
  options.double_precision = true;
  return build_bank(sources, names, options, Context{});
}

}  // namespace kernmix
