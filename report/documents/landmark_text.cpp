#include "landmark_text.hpp"

#include <fmt/format.h>

#include "data/names/row_ids.hpp"

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
  document["landmarks"] = {{"rows", file_rows(model.support, model.support_ids)},
                           {"ids", given_ids(model.support_ids)}};
  return document;
}

}  // namespace kernmix::documents
