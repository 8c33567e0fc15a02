#include "landmark_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace kernmix::documents {

std::vector<Row> landmark_rows(const Model& model) {
  std::vector<Row> rows;
  if (model.landmarks) rows.push_back({"landmarks", fmt::format("{}", model.support.size())});
  if (const auto& exact = model.exact_certificate) {
    rows.push_back(
        {"exact kernels", fmt::format("from {:.8g} to {:.8g}, relative gap {:.2e}", exact->dual,
                                      exact->primal, exact->relative_gap())});
  }
  return rows;
}

Json landmarks_json(const Model& model) {
  Json document = Json::object();
  if (!model.landmarks) return document;
  std::vector<Index> rows = model.support;
  for (Index& row : rows) ++row;
  document["landmarks"] = {{"rows", std::move(rows)}, {"ids", model.support_ids}};
  return document;
}

}  // namespace kernmix::documents
