#include "model/file/calibration_section.hpp"

#include "kernmix/error.hpp"
#include "model/file/header.hpp"

namespace kernmix {
namespace {

constexpr const char* kKnotsBlock = "calibration_decision";
constexpr const char* kHeightsBlock = "calibration_probability";
constexpr const char* kGroupsBlock = "calibration_groups";

Json map_entry(const ProbabilityMap& map) {
  if (const auto* const platt = std::get_if<PlattMap>(&map)) {
    return {{"slope", platt->slope}, {"intercept", platt->intercept}};
  }
  if (const auto* const beta = std::get_if<BetaMap>(&map)) {
    return {{"a", beta->a}, {"b", beta->b}, {"c", beta->c}, {"scale", beta->scale}};
  }
  return {{"knots", std::get<IsotonicMap>(map).decision.size()}};
}

/// The knots of all isotonic maps, one map after the other.
IsotonicMap all_knots(const std::vector<ProbabilityMap>& maps) {
  IsotonicMap all;
  for (const ProbabilityMap& map : maps) {
    const auto* const own = std::get_if<IsotonicMap>(&map);
    if (own == nullptr) continue;
    all.decision.insert(all.decision.end(), own->decision.begin(), own->decision.end());
    all.probability.insert(all.probability.end(), own->probability.begin(), own->probability.end());
  }
  return all;
}

/// Reads the knots map by map.
class Knots {
 public:
  explicit Knots(const Container& container)
      : decision_(find_vector(container, kKnotsBlock)),
        probability_(find_vector(container, kHeightsBlock)) {
    if (decision_.size() != probability_.size()) {
      throw DataError("has a calibration with knots that are not pairs");
    }
  }

  IsotonicMap take(Index count) {
    if (count > length(decision_) - next_) {
      throw DataError("has a calibration of more knots than its blocks hold");
    }
    const auto from = next_;
    next_ += count;
    return {{decision_.begin() + from, decision_.begin() + next_},
            {probability_.begin() + from, probability_.begin() + next_}};
  }
  [[nodiscard]] bool all_taken() const { return next_ == length(decision_); }

 private:
  const Vector& decision_;
  const Vector& probability_;
  Index next_ = 0;
};

ProbabilityMap read_map(const Json& entry, CalibrationMethod method, Knots& knots) {
  switch (method) {
    case CalibrationMethod::platt:
      return PlattMap{get_number(entry, "slope"), get_number(entry, "intercept")};
    case CalibrationMethod::isotonic:
      return knots.take(get_count(entry, "knots"));
    case CalibrationMethod::beta:
      return BetaMap{get_number(entry, "a"), get_number(entry, "b"), get_number(entry, "c"),
                     get_number(entry, "scale")};
    case CalibrationMethod::none:
      break;
  }
  throw DataError("has a calibration without a method");
}

/// As version 6 writes for models without calibration.
bool is_null(const Json& header, const char* key) {
  const auto found = header.find(key);
  return found != header.end() && found->is_null();
}

}  // namespace

void put_calibration(const Calibration& calibration, Container& container) {
  container.header["calibration"] = nullptr;
  if (calibration.empty()) return;
  Json& section =
      container.header["calibration"] = {{"method", calibration_name(calibration.method)},
                                         {"folds", calibration.folds},
                                         {"solver", calibration.solver},
                                         {"max_iterations", calibration.max_iterations}};
  Json& maps = section["maps"] = Json::array();
  for (const ProbabilityMap& map : calibration.maps) maps.push_back(map_entry(map));
  const IsotonicMap knots = all_knots(calibration.maps);
  container.blocks.push_back(vector_block(kKnotsBlock, knots.decision));
  container.blocks.push_back(vector_block(kHeightsBlock, knots.probability));
  if (calibration.groups.empty()) return;
  container.blocks.push_back(index_block(kGroupsBlock, calibration.groups));
}

Calibration read_calibration(const Container& container) {
  Calibration calibration;
  if (container.version < calibration_version) return calibration;
  if (is_null(container.header, "calibration")) return calibration;
  const Json& section = get_object(container.header, "calibration");
  calibration.method = parse_calibration(get_text(section, "method"));
  calibration.folds = get_count(section, "folds");
  calibration.solver = get_text(section, "solver");
  calibration.max_iterations = get_count(section, "max_iterations");
  if (has_block(container, kGroupsBlock)) {
    calibration.groups = find_indices(container, kGroupsBlock, "a group of samples whose number");
  }
  Knots knots(container);
  for (const Json& entry : get_list(section, "maps")) {
    calibration.maps.push_back(read_map(entry, calibration.method, knots));
  }
  if (calibration.empty() || !knots.all_taken()) {
    throw DataError("has a calibration whose maps do not match its blocks");
  }
  return calibration;
}

}  // namespace kernmix
