#include "tune/fit_line.hpp"

namespace kernmix::cli {

Json fit_line(const SearchedFit& fit) {
  Json answer = Json::array();
  for (const StartingPoint& part : fit.answer) {
    answer.push_back(
        {{"norms", part.norms}, {"a", part.a}, {"double_precision", part.double_precision}});
  }
  return {{"outer", fit.place.outer},
          {"round", fit.place.round},
          {"fold", fit.place.fold},
          {"candidate", fit.place.candidate},
          {"score", json_number(fit.score)},
          {"converged", fit.converged},
          {"kernels_used", fit.kernels_used},
          {"kernel_seconds", fit.kernel_seconds},
          {"solve_seconds", fit.solve_seconds},
          {"answer", std::move(answer)}};
}

SearchedFit fit_of_line(const Json& line) {
  SearchedFit fit;
  fit.place = {line.at("outer"), line.at("round"), line.at("fold"), line.at("candidate")};
  if (!line.at("score").is_null()) fit.score = line.at("score").get<double>();
  fit.converged = line.at("converged");
  fit.kernels_used = line.at("kernels_used");
  fit.kernel_seconds = line.at("kernel_seconds");
  fit.solve_seconds = line.at("solve_seconds");
  for (const Json& part : line.at("answer")) {
    fit.answer.push_back({part.at("norms").get<Vector>(), part.at("a").get<Vector>(),
                          part.at("double_precision").get<bool>()});
  }
  return fit;
}

std::vector<SearchedFit> fits_of_lines(const std::vector<Json>& lines) {
  std::vector<SearchedFit> fits;
  for (const Json& line : lines) fits.push_back(fit_of_line(line));
  return fits;
}

}  // namespace kernmix::cli
