#include "model/landmarks/landmarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "data/names/name_list.hpp"
#include "data/words/look_alike.hpp"
#include "kernel/landmark_source.hpp"
#include "kernmix/bank/bounded_products.hpp"
#include "kernmix/error.hpp"
#include "model/file/file.hpp"
#include "model/landmarks/automatic.hpp"
#include "model/landmarks/definite.hpp"
#include "model/landmarks/pivoting.hpp"
#include "model/make_model.hpp"
#include "model/settings/number_text.hpp"
#include "model/solving/kernel_store.hpp"

namespace kernmix {
namespace {

constexpr const char* kListed = "listed";

/// One in each line, without blanks around it.
std::vector<std::string> ids_in(const std::string& file, const Context& context) {
  std::error_code unknown;  // a name that is too long, or a folder without permission
  if (!std::filesystem::exists(file, unknown)) {
    throw DataError(fmt::format(
        "{}: no such file: landmarks are auto, none, a number, or a file with an id in each line",
        file));
  }
  std::vector<std::string> ids;
  for (ListedName& own : read_name_list(file, context)) ids.push_back(std::move(own.text));
  if (ids.empty()) {
    throw DataError(fmt::format("{}: no landmark: give the id of a sample in each line", file));
  }
  return ids;
}

}  // namespace

std::string no_training_sample(const std::string& id, const Table& table) {
  const std::string alike = look_alike_hint(id, table.ids, "training sample");
  return fmt::format("the landmark {} is no training sample{}", in_quotes(id),
                     alike.empty() ? "; remove its line" : alike);
}

std::vector<std::string> listed_ids(const LandmarkRule& rule, const Context& context) {
  return rule.file.empty() ? rule.ids : ids_in(rule.file, context);
}

namespace {

std::vector<Index> listed_landmarks(const Table& table, const LandmarkRule& rule,
                                    const Context& context) {
  const std::string source = rule.file.empty() ? "landmarks" : rule.file;
  const std::vector<std::string> ids = listed_ids(rule, context);
  if (table.ids.empty()) {
    throw DataError(fmt::format(
        "{}: the samples have no ids by which landmarks are found: name their column (--id)",
        source));
  }
  std::unordered_map<std::string, Index> place;
  for (Index i = 0; i < length(table.ids); ++i) place.emplace(table.ids[to_size(i)], i);
  std::set<Index> found;
  for (const std::string& id : ids) {
    const auto own = place.find(id);
    if (own == place.end() && rule.of_part) continue;
    if (own == place.end()) {
      throw DataError(fmt::format("{}: {}", source, no_training_sample(id, table)));
    }
    if (!found.insert(own->second).second) {
      throw DataError(
          fmt::format("{}: the landmark {} is listed twice; remove a line", source, in_quotes(id)));
    }
  }
  if (found.empty()) {
    throw DataError(
        fmt::format("{}: none of the landmarks is in this part of the samples", source));
  }
  return {found.begin(), found.end()};
}

std::vector<Index> counted_landmarks(const LandmarkRule& rule, const TrainingKernels& kernels,
                                     const Context& context) {
  const Index n = kernels.sources.front()->rows();
  if (!rule.of_part) check_landmark_count(rule, n);
  return random_pivots(kernels.sources, std::min(rule.count, n), context);
}

[[noreturn]] void refuse_landmarks(const std::string& what, const std::string& remedy) {
  throw ParameterError(fmt::format("landmarks cannot serve {}: {}", what, remedy));
}

}  // namespace

void check_landmark_count(const LandmarkRule& rule, Index samples) {
  if (rule.choice != LandmarkRule::Choice::count || rule.count <= samples) return;
  throw ParameterError(fmt::format(
      "landmarks must be at most the number of samples, {}, got {}: with landmarks none the "
      "kernels are used as written",
      samples, rule.count));
}

std::string LandmarkRule::text() const {
  switch (choice) {
    case LandmarkRule::Choice::automatic:
      return "auto";
    case LandmarkRule::Choice::none:
      return "none";
    case LandmarkRule::Choice::count:
      return fmt::format("{}", count);
    case LandmarkRule::Choice::listed:
      break;
  }
  return file.empty() ? fmt::format("{}", fmt::join(ids, "\n")) : file;
}

void require_landmark_file(const LandmarkRule& rule, const Context& context) {
  if (!rule.file.empty()) (void)ids_in(rule.file, context);
}

LandmarkRule parse_landmarks(const std::string& text) {
  LandmarkRule rule;
  if (text == "auto") return rule;
  rule.choice = LandmarkRule::Choice::none;
  if (text == "none") return rule;
  const bool number = text.find_first_not_of("+-.0123456789") == std::string::npos;
  rule.choice = number ? LandmarkRule::Choice::count : LandmarkRule::Choice::listed;
  if (number) {
    rule.count = whole_number("landmarks", text, 1);
  } else {
    rule.file = text;
  }
  return rule;
}

namespace {

/// A given matrix has landmarks, its columns, if they are asked for: it is there already.
void check_given_matrix(const std::string& kernel, const TrainOptions& options) {
  if (options.landmarks.choice == LandmarkRule::Choice::automatic) {
    refuse_landmarks(kernel + " of a given matrix", "give their number");
  }
  if (options.repair != Repair::none) {
    refuse_landmarks(kernel + " of a given matrix with a repair",
                     "use repair none, or landmarks none");
  }
}

/// \throws ParameterError for what landmarks cannot serve, naming the first
void check_landmark_kernels(const TrainingKernels& kernels, const Loss& loss,
                            const TrainOptions& options) {
  constexpr const char* as_written = "use landmarks none";
  if (options.combination == Combination::product) {
    refuse_landmarks("a product of kernels", as_written);
  }
  if (on_distances(loss)) {
    refuse_landmarks(fmt::format("the loss {}", loss_text(loss)),
                     fmt::format("{}, or the loss one-class", as_written));
  }
  if (!kernels.presences.empty()) {
    refuse_landmarks(
        fmt::format("the view '{}', which some samples lack", kernels.presences.front().view.name),
        fmt::format("leave these samples out (absent drop), or {}", as_written));
  }
  for (std::size_t m = 0; m < kernels.descriptions.size(); ++m) {
    const KernelDescription& kernel = kernels.descriptions[m];
    const std::string name = fmt::format("kernel {}", kernel.name());
    if (kernel.from_matrix) check_given_matrix(name, options);
    if (kernels.normalizations[m].rule.center) {
      refuse_landmarks(fmt::format("{}, which is centred", name),
                       fmt::format("use normalize=trace, or {}", as_written));
    }
    const bool known = kernels.sources[m]->always_psd() || kernel.from_matrix;
    if (!known && !options.assume_psd) {
      refuse_landmarks(fmt::format("{}, which may be indefinite and then has no factor", name),
                       fmt::format("leave it out, or {}", as_written));
    }
  }
}

}  // namespace

SettledLandmarks settle_landmarks(const Dataset& data, const TrainOptions& options,
                                  const TaskSet& set, const Context& context,
                                  const TrainingKernels& kernels) {
  SettledLandmarks settled{options.landmarks, ""};
  const LandmarkRule::Choice asked = options.landmarks.choice;
  if (asked == LandmarkRule::Choice::none) return settled;
  const bool automatic = asked == LandmarkRule::Choice::automatic;
  if (automatic) settled.rule.choice = LandmarkRule::Choice::none;
  const bool fits = automatic && exact_kernels_fit(data, options, set, context, kernels);
  try {
    check_landmark_kernels(kernels, set.loss, options);
  } catch (const ParameterError&) {
    if (!automatic) throw;
    return settled;  // the plan of the exact kernels says what does not fit
  }
  if (fits) settled.note = slow_kernels_note(set, context, kernels.sources, kernels.descriptions);
  if (!automatic || fits) return settled;
  const AutomaticLandmarks found = automatic_landmarks(data, options, set, context, kernels);
  if (found.count == 0) return settled;
  settled.rule.choice = LandmarkRule::Choice::count;
  settled.rule.count = found.count;
  settled.note = found.note;
  return settled;
}

namespace {

/// The memory of choosing R landmarks, and of the kernels of them, before the memory plan can have
/// it: a factor in single precision, and R^2 numbers twice for each kernel beside its factor.
void require_landmark_room(const Dataset& data, const TrainingKernels& kernels, Index landmarks,
                           const Context& context) {
  const auto n = static_cast<double>(kernels.sources.front()->rows());
  const auto M = static_cast<double>(kernels.sources.size());
  const auto R = static_cast<double>(landmarks);
  const double factor = n * R * sizeof(float);
  const double of_kernels = M * (2.0 * R * R * sizeof(double) + factor);
  const double needed =
      static_cast<double>(data_bytes(data, kernels)) + std::max(factor, of_kernels);
  if (has_room(context, needed)) return;
  throw ResourceError(fmt::format(
      "{} landmarks of {} kernels take {} of memory, more than the budget of {} (--memory): give "
      "fewer landmarks (--landmarks) or kernels, or allow more memory",
      landmarks, kernels.sources.size(), memory_text(needed), memory_text(context.memory_bytes)));
}

}  // namespace

void add_landmarks(const Dataset& data, const TrainOptions& options, const TaskSet& set,
                   const Context& context, TrainingKernels& kernels) {
  const auto [rule, note] = settle_landmarks(data, options, set, context, kernels);
  if (!note.empty()) context.tell(landmark_remark + note);
  if (rule.choice == LandmarkRule::Choice::none) return;
  kernels.landmark_note = note;
  std::vector<Index> landmarks;
  if (rule.choice == LandmarkRule::Choice::count) {
    require_landmark_room(data, kernels, std::min(rule.count, kernels.sources.front()->rows()),
                          context);
    landmarks = counted_landmarks(rule, kernels, context);
  } else {
    landmarks = listed_landmarks(data.table, rule, context);
    require_landmark_room(data, kernels, length(landmarks), context);
  }
  use_landmarks(std::move(landmarks), kernels, context);
  if (!options.assume_psd) check_factors(kernels, options.exact_certificate, context);
}

void use_landmarks(std::vector<Index> landmarks, TrainingKernels& kernels, const Context& context) {
  kernels.exact = kernels.sources;
  kernels.sources =
      landmark_sources(kernels.exact, landmarks, kernel_names(kernels.descriptions), context);
  kernels.landmarks = std::move(landmarks);
}

std::vector<Matrix> landmark_coefficients(const TrainingKernels& kernels, const TaskSet& set,
                                          const std::vector<Vector>& a, const Context& context) {
  const Index n = set.targets.samples();
  const Vector none(kernels.sources.size(), 0.0);
  std::vector<Vector> on_all;
  for (std::size_t k = 0; k < a.size(); ++k)
    on_all.push_back(on_all_samples(set.tasks[k], a[k], n));
  std::vector<ProductRequest> requests;
  for (const Vector& own : on_all) requests.push_back({none, own});
  return landmark_products(kernels.sources, requests, without_end(context)).w;
}

Matrix landmark_weights(const LandmarkFunctions& landmarks, Index m) {
  Matrix all(landmarks.coefficients.front().cols, length(landmarks.coefficients));
  for (Index k = 0; k < all.cols; ++k) {
    const ConstSpan own = landmarks.coefficients[to_size(k)].row(m);
    for (Index p = 0; p < all.rows; ++p) all(p, k) = own[to_size(p)];
  }
  return all;
}

Vector jitter_of(const TrainingKernels& kernels) {
  Vector jitter;
  for (const KernelSourcePtr& source : kernels.sources) {
    jitter.push_back(source->by_landmarks()->jitter());
  }
  return jitter;
}

double landmark_decision_size(const TrainingKernels& kernels, ConstSpan d, const Matrix& W) {
  double size = 0.0;
  for (std::size_t m = 0; m < d.size(); ++m) {
    const Vector roots = kernels.sources[m]->by_landmarks()->exact_roots();
    const double largest = std::ranges::max(roots);
    for (const double w : W.row(static_cast<Index>(m)))
      size += d[m] * largest * largest * std::abs(w);
  }
  return size;
}

std::string landmark_setting(const LandmarkRule& rule, Index used) {
  if (used == 0) return "none";
  if (rule.choice == LandmarkRule::Choice::listed) return kListed;
  return fmt::format("{}", rule.choice == LandmarkRule::Choice::count ? rule.count : used);
}

LandmarkRule landmark_rule(const Model& model) {
  LandmarkRule rule = parse_landmarks(model.settings.landmarks);
  if (model.settings.landmarks != kListed) return rule;
  rule.file.clear();
  rule.ids = model.support_ids;
  return rule;
}

}  // namespace kernmix
