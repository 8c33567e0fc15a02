#include "json_evaluation.hpp"

#include <cmath>

#include "json_run.hpp"
#include "kernmix/version.hpp"
#include "provenance.hpp"

namespace kernmix::documents {

Json metrics_json(const std::vector<Metric>& metrics) {
  Json list = Json::array();
  for (const Metric& metric : metrics) {
    list.push_back({{"name", metric.name},
                    {"value", json_number(metric.value)},
                    {"low", json_number(metric.low)},
                    {"high", json_number(metric.high)}});
  }
  return list;
}

Json count_json(double count) {
  if (std::floor(count) == count) return static_cast<Index>(count);
  return count;
}

Json confusion_json(const Confusion& counts) {
  return {{"true_positive", count_json(counts.true_positive)},
          {"false_positive", count_json(counts.false_positive)},
          {"true_negative", count_json(counts.true_negative)},
          {"false_negative", count_json(counts.false_negative)}};
}

Json reliability_json(const std::vector<ReliabilityBin>& bins) {
  Json list = Json::array();
  for (const ReliabilityBin& bin : bins) {
    list.push_back({{"from", bin.low},
                    {"to", bin.high},
                    {"n_samples", bin.samples},
                    {"predicted", bin.predicted},
                    {"observed", json_number(bin.observed.value)},
                    {"low", json_number(bin.observed.low)},
                    {"high", json_number(bin.observed.high)}});
  }
  return list;
}

Json roc_json(const std::vector<RocPoint>& roc) {
  Json list = Json::array();
  for (const RocPoint& point : roc) {
    list.push_back({{"fpr", point.false_positive_rate},
                    {"tpr", point.true_positive_rate},
                    {"threshold", json_number(point.threshold)}});
  }
  return list;
}

Json evaluation_json(const EvaluatedModel& model, const std::vector<std::string>& files,
                     const Table& table, const Model& learned, const Json& found) {
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "evaluate"},
                   {"model", model.file},
                   {"model_checksum", model.checksum},
                   {"data", files},
                   {"data_checksums", checksums_json(files)},
                   {"command_line", command_line()},
                   {"unmatched", table.unmatched}};
  document.update(learned_json(learned));
  document.update(found);
  return document;
}

}  // namespace kernmix::documents
