#include "compare/split_line.hpp"

namespace kernmix::cli {
namespace {

Json cell_line(const ComparedCell& cell) {
  Json scores = Json::array();
  for (const auto& score : cell.scores) scores.push_back(json_number(score));
  return {{"candidate", cell.candidate},
          {"scores", std::move(scores)},
          {"status", static_cast<int>(cell.status)},
          {"relative_gap", cell.relative_gap},
          {"kernels_used", cell.kernels_used},
          {"kernels", cell.kernels},
          {"solve_seconds", cell.solve_seconds},
          {"choose_seconds", cell.choose_seconds},
          {"fits", cell.fits},
          {"unconverged", cell.unconverged}};
}

ComparedCell cell_of_line(const Json& line) {
  ComparedCell cell;
  for (const Json& score : line.at("scores")) {
    cell.scores.push_back(score.is_null() ? std::nullopt : std::optional(score.get<double>()));
  }
  cell.candidate = line.at("candidate");
  cell.status = static_cast<Status>(line.at("status").get<int>());
  cell.relative_gap = line.at("relative_gap");
  cell.kernels_used = line.at("kernels_used");
  cell.kernels = line.at("kernels");
  cell.solve_seconds = line.at("solve_seconds");
  cell.choose_seconds = line.at("choose_seconds");
  cell.fits = line.at("fits");
  cell.unconverged = line.at("unconverged");
  return cell;
}

}  // namespace

Json split_line(const ComparedSplit& split) {
  Json methods = Json::array();
  for (const ComparedCell& cell : split.methods) methods.push_back(cell_line(cell));
  return {{"data", split.data},
          {"split", split.split},
          {"train", split.train},
          {"test", split.test},
          {"kernel_seconds", split.kernel_seconds},
          {"kernel_builds", split.kernel_builds},
          {"methods", std::move(methods)}};
}

ComparedSplit split_of_line(const Json& line) {
  ComparedSplit split;
  split.data = line.at("data");
  split.split = line.at("split");
  split.train = line.at("train");
  split.test = line.at("test");
  split.kernel_seconds = line.at("kernel_seconds");
  split.kernel_builds = line.at("kernel_builds");
  for (const Json& cell : line.at("methods")) split.methods.push_back(cell_of_line(cell));
  return split;
}

}  // namespace kernmix::cli
