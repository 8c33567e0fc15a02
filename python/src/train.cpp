#include "train.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <tuple>

#include "data.hpp"
#include "kernmix/train.hpp"
#include "kernmix/training.hpp"
#include "run.hpp"
#include "train_options.hpp"
#include "values.hpp"

namespace kernmix::python {
namespace {

using Names = std::vector<std::string>;

/// A column of the history.
template <typename Member>
auto column(const TrainResult& result, Member member) {
  std::vector<std::decay_t<decltype(std::declval<Iteration>().*member)>> values;
  for (const Iteration& row : result.history) values.push_back(row.*member);
  return values;
}

nb::object numbers(const TrainResult& result, double Iteration::*member) {
  return nb::cast(array_of(column(result, member)));
}

nb::object counts(const TrainResult& result, Index Iteration::*member) {
  const std::vector<Index> values = column(result, member);
  return nb::module_::import_("numpy").attr("array")(values, nb::arg("dtype") = "int64");
}

Record history(const TrainResult& result) {
  Record record;
  record["number"] = counts(result, &Iteration::number);
  record["primal"] = numbers(result, &Iteration::primal);
  record["dual"] = numbers(result, &Iteration::dual);
  record["relative_gap"] = numbers(result, &Iteration::relative_gap);
  record["seconds"] = numbers(result, &Iteration::seconds);
  record["svm_solves"] = counts(result, &Iteration::svm_solves);
  record["bank_passes"] = counts(result, &Iteration::bank_passes);
  record["inner_iterations"] = counts(result, &Iteration::inner_iterations);
  record["active_kernels"] = counts(result, &Iteration::active_kernels);
  record["step"] = column(result, &Iteration::step);
  nb::list weights;
  for (const Iteration& row : result.history) weights.append(array_of(Vector(row.weights)));
  record["weights"] = weights;
  return record;
}

Record seconds(const TrainResult& result) {
  Record record;
  record["kernels"] = result.seconds.kernels;
  record["solve"] = result.seconds.solve;
  record["certify"] = result.seconds.certify;
  record["total"] = result.seconds.total;
  return record;
}

Record plan(const TrainResult& result) {
  Record record;
  record["total_bytes"] = result.plan.total();
  record["bank_bytes"] = result.plan.bank_bytes;
  record["data_bytes"] = result.plan.data_bytes;
  record["combined_bytes"] = result.plan.combined_bytes;
  record["workspace_bytes"] = result.plan.workspace_bytes;
  nb::list storage;
  nb::list rank;
  nb::list bytes;
  for (const MemoryPlan::Entry& entry : result.plan.kernels) {
    storage.append(storage_name(entry.kind));
    rank.append(entry.rank);
    bytes.append(entry.bytes);
  }
  record["storage"] = storage;
  record["rank"] = rank;
  record["bytes"] = bytes;
  return record;
}

/// Models of the same data that scores choose from, one call at a time.
class SharedTraining {
 public:
  explicit SharedTraining(const Data& data) : data_(data.shared()), training_(*data_) {}

  TrainResult fit(const TrainOptions& options, const Context& context) {
    const std::lock_guard one(mutex_);
    return training_.fit_for_score(options, context);
  }
  [[nodiscard]] Reuse reuse() const {
    const std::lock_guard one(mutex_);
    return training_.reuse();
  }

 private:
  std::shared_ptr<const Dataset> data_;
  Training training_;
  mutable std::mutex mutex_;
};

/// What trains, while others may do with the arguments what they like.
auto trainer(const Data& data) {
  return [kept = data.shared()](const TrainOptions& options, const Context& context) {
    return train(*kept, options, context);
  };
}
auto trainer(SharedTraining& training) {
  return [&](const TrainOptions& options, const Context& context) {
    return training.fit(options, context);
  };
}

template <typename Trained>
TrainResult trained(Trained& from, const nb::kwargs& options) {
  TrainKeywords keywords = train_keywords(options);
  Run run(std::move(keywords.resources));
  const auto fit = trainer(from);
  TrainResult result;
  run([&] { result = fit(keywords.options, run.context()); });
  run.rethrow();
  return result;
}

constexpr const char* kTrainDoc =
    "Trains a certified model; whatever is not allowed is refused before any kernel is "
    "computed.\n\n"
    "progress(stage, done, total, relative_gap) and log(message) are called from any thread, never "
    "two at a time. What\n"
    "they raise ends training at once and is raised here; so does Ctrl-C, as KeyboardInterrupt. "
    "Where progress\n"
    "returns False, or after time_limit seconds, the best certified answer is returned, or "
    "ResourceError raised where\n"
    "the kernels were not computed yet. memory: bytes; 0: no limit; None: 80 % of what is "
    "available.";

constexpr const char* kTrainingDoc =
    "Trains one model after the other on the same data: kernels are computed once, and a model "
    "begins with the weights\nof an earlier one. The data is the caller's and must not change.";

Record reuse(const SharedTraining& training) {
  const Reuse reuse = training.reuse();
  Record record;
  record["models"] = reuse.models;
  record["kernel_builds"] = reuse.kernel_builds;
  record["warm_starts"] = reuse.warm_starts;
  record["kernel_seconds"] = reuse.kernel_seconds;
  record["saved_seconds"] = reuse.saved_seconds;
  return record;
}

void bind_result(nb::module_& module) {
  nb::class_<TrainResult>(module, "TrainResult", "A model and how it was found.")
      .def_prop_ro(
          "model", [](const TrainResult& r) -> const Model& { return r.model; }, "The model.")
      .def_prop_ro(
          "status", [](const TrainResult& r) { return status_name(r.status); },
          "converged, or why training ended before: iteration limit, time limit, interrupted, "
          "stalled, stopping rule")
      .def_prop_ro("history", history, "A column for each field of an iteration")
      .def_prop_ro("seconds", seconds, "kernels, solve, certify, total")
      .def_prop_ro(
          "warnings", [](const TrainResult& result) { return warnings_of(result.warnings); },
          "code, message and kernels of each")
      .def_ro("svm_solves", &TrainResult::svm_solves, "SVMs that were solved")
      .def_ro("inner_iterations", &TrainResult::inner_iterations, "Of all SVMs")
      .def_ro("bank_passes", &TrainResult::bank_passes, "Times that all kernels were read")
      .def_prop_ro(
          "plan", plan,
          "Bytes of the bank and of what else is held; storage, rank and bytes of each kernel");
}

std::vector<Index> order_of(const std::vector<nb::dict>& settings) {
  std::vector<TrainOptions> models;
  for (const nb::dict& own : settings) {
    try {
      models.push_back(train_keywords(own).options);
    } catch (const std::exception&) {  // which training says
      models.emplace_back();
    }
  }
  return training_order(models);
}

}  // namespace

void bind_train(nb::module_& module) {
  bind_result(module);
  const std::string function = "def train(data: Data, *, " + train_signature() + ") -> TrainResult";
  const std::string method = "def fit(self, *, " + train_signature() + ") -> TrainResult";
  const std::string check = "def check_training(data: Data, *, " + train_signature() + ") -> None";
  module.def(
      "check_training",
      [](const Data& data, const nb::kwargs& options) {
        check_training(*data, train_keywords(options).options);
      },
      nb::sig(check.c_str()),
      "Refuses whatever train refuses before it computes a kernel; matrices are not read.");
  module.def("training_order", order_of, nb::arg("settings"),
             "Places of models in the order in which one Training has least to do, from their "
             "settings; those that training refuses have a place, too.");
  module.def("train", trained<const Data>, nb::sig(function.c_str()), kTrainDoc);
  nb::class_<SharedTraining>(module, "Training", kTrainingDoc)
      .def(nb::init<const Data&>(), nb::arg("data"))
      .def("fit", trained<SharedTraining>, nb::sig(method.c_str()),
           "As train, on the kernels of the last model where they are the same.")
      .def_prop_ro("reuse", reuse,
                   "models, kernel_builds, warm_starts, kernel_seconds and saved_seconds so far");
}

}  // namespace kernmix::python
