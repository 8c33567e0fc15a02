// s = score of f on the test part, f trained on the train part: for one candidate after the other.

#include "selection/search/fold_run.hpp"

namespace kernmix {

FoldRun::FoldRun(const SearchInput& input, const Fold& fold, std::string where,
                 const Context& context)
    : input_(input), fits_(input.data, fold, std::move(where), context) {}

void FoldRun::begin(Index place) {
  const Index path = candidate(place).path;
  if (path_ != path) fits_.forget();
  path_ = path;
}

void FoldRun::skip(const SearchedFit& fit) {
  begin(fit.place.candidate);
  fits_.recall(candidate(fit.place.candidate).options, fit.answer);
}

std::optional<PartScore> FoldRun::scored(Index place) {
  begin(place);
  return score_part(fits_, candidate(place).options, candidate(place).name, Purpose::score);
}

SearchedFit FoldRun::searched(const FitPlace& place, const PartScore& score,
                              const std::vector<Metric>& metrics) const {
  SearchedFit done;
  done.place = place;
  done.score = score_called(metrics, input_.score.name);
  done.converged = true;
  if (!score.trained) return done;
  done.converged = score.trained->status == Status::converged;
  done.kernels_used = kernmix::kernels_used(score.trained->model);
  done.kernel_seconds = score.trained->seconds.kernels;
  done.solve_seconds = score.trained->seconds.solve;
  done.answer = fits_.last_answer();
  return done;
}

std::optional<SearchedFit> FoldRun::fit(const FitPlace& place) {
  const auto found = scored(place.candidate);
  if (!found) return std::nullopt;
  return searched(place, *found, found->metrics);
}

std::optional<std::vector<SearchedFit>> FoldRun::fit(const std::vector<TestedPart>& parts) {
  const Index place = parts.front().place.candidate;
  const auto found = scored(place);
  if (!found) return std::nullopt;
  std::vector<SearchedFit> fits;
  for (const TestedPart& part : parts) {
    const auto metrics = metrics_at(fits_, candidate(place).options, *found, part.rows);
    fits.push_back(searched(part.place, *found, metrics));
  }
  return fits;
}

}  // namespace kernmix
