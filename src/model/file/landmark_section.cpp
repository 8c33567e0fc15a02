#include "model/file/landmark_section.hpp"

#include "kernmix/error.hpp"
#include "model/file/header.hpp"

namespace kernmix {
namespace {

constexpr const char* kLandmarks = "landmarks";
constexpr const char* kDualIds = "dual_ids";
constexpr const char* kCoefficients = "landmark_coefficients";

}  // namespace

void put_landmarks(const Model& model, Container& container) {
  if (!model.landmarks) return;
  container.header[kLandmarks] = {{"jitter", model.landmarks->jitter}};
  if (!model.landmarks->dual_ids.empty()) {
    container.header[kLandmarks][kDualIds] = model.landmarks->dual_ids;
  }
  Matrix all(0, length(model.support));  // the rows of all tasks
  for (const Matrix& own : model.landmarks->coefficients) {
    all.rows += own.rows;
    all.values.insert(all.values.end(), own.values.begin(), own.values.end());
  }
  container.blocks.push_back({kCoefficients, std::move(all)});
}

void read_landmarks(const Container& container, Model& model) {
  if (!container.header.contains(kLandmarks)) return;
  LandmarkFunctions functions;
  const Json& entry = get_object(container.header, kLandmarks);
  functions.jitter = get_numbers(entry, "jitter");
  if (entry.contains(kDualIds)) functions.dual_ids = get_texts(entry, kDualIds);
  const Matrix& all = find_block(container, kCoefficients);
  const Index M = length(model.kernels);
  if (M == 0 || all.cols != length(model.support) || all.rows % M != 0) {
    throw DataError("has coefficients that are not a number for each kernel and landmark");
  }
  for (Index first = 0; first < all.rows; first += M) {
    Matrix own(M, all.cols);
    const auto begin = all.values.begin() + first * all.cols;
    own.values.assign(begin, begin + M * all.cols);
    functions.coefficients.push_back(std::move(own));
  }
  model.landmarks = std::move(functions);
}

}  // namespace kernmix
