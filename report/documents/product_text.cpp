#include "product_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernmix::documents {
namespace {

bool has_weight(const ModelKernel& factor) { return factor.weight > 0.0; }

}  // namespace

Json product_json(const Model& model) {
  if (!model.product) return Json::object();
  const Product& product = *model.product;
  Json factors = Json::array();
  for (const ModelKernel& factor : product.factors) {
    factors.push_back({{"kernel", factor.description.name()},
                       {"view", factor.description.view},
                       {"columns", factor.description.columns},
                       {"weight", factor.weight}});
  }
  return {{"optimum", "local"},
          {"product",
           {{"stationarity", product.stationarity},
            {"objective", json_number(product_objective(product, model.certificate))},
            {"penalty", product.penalty},
            {"start", product.start},
            {"iterations", product.iterations},
            {"factors", std::move(factors)}}}};
}

std::vector<Row> product_rows(const Model& model) {
  if (!model.product) return {};
  const Product& product = *model.product;
  return {
      {"optimum", fmt::format("local: weights of a product, stationarity {:.2e}  (tolerance {:g})",
                              product.stationarity, model.settings.tolerance)},
      {"objective", fmt::format("{:.8g}  (primal + weight penalty {})",
                                product_objective(product, model.certificate), product.penalty)},
      {"factors used", fmt::format("{} of {}", std::ranges::count_if(product.factors, has_weight),
                                   product.factors.size())}};
}

std::string accuracy_text(const Model& model) {
  if (!model.product) return fmt::format("relative gap {:.1e}", model.certificate.relative_gap());
  return fmt::format("local optimum, stationarity {:.1e}", model.product->stationarity);
}

std::string factors_table(const Product& product, std::size_t limit) {
  std::vector<ModelKernel> factors = product.factors;
  std::ranges::stable_sort(factors, std::ranges::greater(), &ModelKernel::weight);
  std::vector<Row> rows = {{"weight", "factor"}};
  for (const ModelKernel& factor : factors) {
    if (rows.size() > limit || factor.weight == 0.0) break;
    rows.push_back({fmt::format("{:.4g}", factor.weight), factor.description.name()});
  }
  const auto used = std::ranges::count_if(factors, has_weight);
  const bool all = static_cast<std::ptrdiff_t>(rows.size()) - 1 == used;
  return aligned(rows, true) +
         (all ? ""
              : fmt::format("These {} factors have the largest weights; --json has all.\n", limit));
}

}  // namespace kernmix::documents
