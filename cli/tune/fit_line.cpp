#include "tune/fit_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"

namespace kernmix::cli {
namespace {

constexpr Index kAnyPlace = std::numeric_limits<Index>::max();
constexpr Index kLastRound = 3;  // search()

SearchSize::Folds sizes_of(const std::vector<Fold>& folds) {
  SearchSize::Folds sizes;
  for (const Fold& fold : folds) sizes.train.push_back(length(fold.train));
  return sizes;
}

FitPlace read_place(RecordReader& reader, const SearchSize& size) {
  FitPlace place;
  place.outer = reader.whole("outer fold", -1, length(size.outer) - 1);
  const SearchSize::Folds& folds = place.outer < 0 ? size.folds : size.outer[to_size(place.outer)];
  place.round = reader.whole("round", 0, kLastRound);
  place.fold = reader.whole("fold", place.outer < 0 ? 0 : -1, length(folds.train) - 1);
  place.candidate = reader.whole("candidate", 0, size.candidates - 1);
  return place;
}

Index training_samples(const FitPlace& place, const SearchSize& size) {
  const SearchSize::Folds& folds = place.outer < 0 ? size.folds : size.outer[to_size(place.outer)];
  return place.fold < 0 ? folds.outer_train : folds.train[to_size(place.fold)];
}

/// A dual vector may cover only the samples of a pair of classes.
Vector read_dual(RecordReader& reader, Index samples) {
  const Index length = reader.whole("length of a dual vector", 0, samples);
  Vector values;
  for (Index i = 0; i < length; ++i) values.push_back(reader.number("dual variable"));
  return values;
}

StartingPoint read_start(RecordReader& reader, Index kernels, Index samples) {
  StartingPoint start;
  start.double_precision = reader.flag("double precision");
  start.norms = reader.numbers("number of norms", kernels);
  if (std::ranges::any_of(start.norms, [](double norm) { return norm < 0.0; })) {
    throw DataError("has a norm below 0");
  }
  start.a = read_dual(reader, samples);
  return start;
}

SearchedFit read_fit(RecordReader& reader, const SearchSize& size) {
  SearchedFit fit;
  fit.place = read_place(reader, size);
  const Index kernels = size.kernels(fit.place.candidate);
  fit.score = reader.optional_number("score", size.score);
  fit.converged = reader.flag("converged");
  fit.kernels_used = reader.whole("kernels used", 0, kernels);
  fit.kernel_seconds = reader.amount("seconds of kernels");
  fit.solve_seconds = reader.amount("seconds of solving");
  const Index parts = reader.whole("number of starting points", 0, kAnyPlace);
  for (Index part = 0; part < parts; ++part) {
    fit.answer.push_back(read_start(reader, kernels, training_samples(fit.place, size)));
  }
  reader.end();
  return fit;
}

}  // namespace

SearchSize size_of_search(const Dataset& data, const std::vector<Candidate>& candidates,
                          const std::vector<Fold>& folds, const std::vector<NestedFold>& nested) {
  SearchSize size;
  size.folds = sizes_of(folds);
  for (const NestedFold& fold : nested) {
    size.outer.push_back(sizes_of(fold.inner));
    size.outer.back().outer_train = length(fold.outer.train);
  }
  size.candidates = length(candidates);
  const auto known = std::make_shared<std::map<Index, Index>>();
  size.kernels = [&data, &candidates, known](Index candidate) {
    const auto [place, is_new] = known->try_emplace(candidate, 0);
    if (is_new) {
      place->second = length(expand_kernels(data, candidates[to_size(candidate)].options));
    }
    return place->second;
  };
  return size;
}

std::string fit_fields(const SearchedFit& fit) {
  RecordWriter writer;
  for (const Index number :
       {fit.place.outer, fit.place.round, fit.place.fold, fit.place.candidate}) {
    writer.whole(number);
  }
  writer.optional_number(fit.score);
  writer.flag(fit.converged);
  writer.whole(fit.kernels_used);
  writer.number(fit.kernel_seconds);
  writer.number(fit.solve_seconds);
  writer.whole(length(fit.answer));
  for (const StartingPoint& start : fit.answer) {
    writer.flag(start.double_precision);
    writer.numbers(start.norms);
    writer.numbers(start.a);
  }
  return writer.fields();
}

std::vector<SearchedFit> fits_of_journal(const JournalText& journal, const SearchSize& size) {
  std::vector<SearchedFit> fits;
  std::map<FitPlace, Index> lines;
  journal.read_each(kFitRecord, [&](const JournalRecord& record, RecordReader& reader) {
    fits.push_back(read_fit(reader, size));
    const auto [place, is_new] = lines.try_emplace(fits.back().place, record.line);
    if (!is_new) throw DataError(fmt::format("repeats line {}", place->second));
  });
  return fits;
}

}  // namespace kernmix::cli
