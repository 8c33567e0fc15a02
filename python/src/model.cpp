#include "model.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "data.hpp"
#include "kernmix/far_samples.hpp"
#include "kernmix/identity_kernels.hpp"
#include "kernmix/train.hpp"
#include "run.hpp"
#include "values.hpp"

namespace kernmix::python {
namespace {

nb::object exact_record(const std::optional<Bounds>& bounds) {
  return bounds ? nb::object(nb::cast(record_of(*bounds))) : nb::object(nb::none());
}

using Self = nb::handle_t<Model>;

const Model& model_of(Self self) { return nb::cast<const Model&>(self); }

Record settings(const Model& model) {
  const ModelSettings& settings = model.settings;
  Record record;
  record["loss"] = loss_text(settings.loss);
  record["regularizer"] = regularizer_text(settings.regularizer);
  record["solver"] = settings.solver;
  record["status"] = settings.status;
  record["bias"] = settings.bias;
  record["C"] = settings.C;
  record["class_weights"] = settings.class_weights;
  record["missing"] = settings.missing;
  record["absent"] = settings.absent;
  record["landmarks"] = settings.landmarks;
  record["tolerance"] = settings.tolerance;
  record["seed"] = settings.seed;
  record["version"] = settings.version;
  return record;
}

/// Its arrays lie in the model.
Record task_record(Self self, const TaskModel& task) {
  Record record;
  record["name"] = task.name;
  record["positive"] = task.positive;
  record["negative"] = task.negative;
  record["support"] = array_in(self, task.support);
  record["coefficients"] = array_in(self, task.coefficients);
  record["witness"] = array_in(self, task.witness);
  record["bias"] = task.bias;
  record["threshold"] = task.threshold;
  record["primal"] = task.primal;
  record["gap"] = task.gap;
  return record;
}

Records tasks(Self self) {
  Records list;
  for (const TaskModel& task : model_of(self).tasks) list.append(task_record(self, task));
  return list;
}

Records records_of(const std::vector<ModelKernel>& kernels) {
  Records list;
  for (const ModelKernel& kernel : kernels) {
    Record record = record_of(kernel.description);
    record["scale"] = kernel.normalization.scale;
    record["repair"] = repair_name(kernel.repair.rule);
    record["smallest_eigenvalue"] = kernel.repair.smallest;
    record["negative_eigenvalues"] = kernel.repair.negative_count;
    record["mixes_columns"] = kernel.repair.mixes_columns();
    record["weight"] = kernel.weight;
    record["norm"] = kernel.norm;
    record["raw_weight"] = kernel.raw_weight();
    list.append(record);
  }
  return list;
}

Records kernels(const Model& model) { return records_of(model.kernels); }

Records factors(const Model& model) {
  return model.product ? records_of(model.product->factors) : Records();
}

std::optional<Record> product(const Model& model) {
  if (!model.product) return std::nullopt;
  const Product& own = *model.product;
  Record record;
  record["optimum"] = "local";
  record["stationarity"] = own.stationarity;
  record["objective"] = product_objective(own, model.certificate);
  record["penalty"] = own.penalty;
  record["start"] = own.start;
  record["iterations"] = own.iterations;
  return record;
}

Record scaling(Self self) {
  const Scaling& scaling = model_of(self).scaling;
  Record record;
  record["rules"] = scaling_rules(model_of(self).views);
  record["asked"] = scaling_rules(model_of(self).views, &ScaledView::asked);
  record["offset"] = array_in(self, scaling.offset);
  record["divisor"] = array_in(self, scaling.divisor);
  return record;
}

Record calibration(const Model& model) {
  Record record;
  record["method"] = calibration_name(model.calibration.method);
  record["folds"] = model.calibration.folds;
  return record;
}

nb::bytes to_bytes(const Model& model) {
  const std::string bytes = encode_model(model);
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) { return decode_model({bytes.c_str(), bytes.size()}); }

Prediction predicted(const Model& model, const Data& data, bool contributions,
                     std::optional<std::size_t> memory, int threads, nb::object progress,
                     std::optional<double> time_limit) {
  Run run({threads, memory, time_limit, 0, std::move(progress)});
  const auto kept = data.shared();
  Prediction prediction;
  run([&] { prediction = predict(model, *kept, run.context(), contributions); });
  run.rethrow();
  return prediction;
}

std::optional<std::string> far_samples(const Model& model, const Data& data) {
  FarSamples far(model);
  far.add(data.shared()->table);
  const std::optional<Warning> warning = far.warning();
  return warning ? std::optional(warning->message) : std::nullopt;
}

Verification verified(const Model& model, const Data& data, std::optional<std::size_t> memory,
                      int threads, nb::object progress, std::optional<double> time_limit) {
  Run run({threads, memory, time_limit, 0, std::move(progress)});
  const auto kept = data.shared();
  Verification verification;
  run([&] { verification = verify(model, *kept, run.context()); });
  run.rethrow();
  return verification;
}

/// n x T, bool; of a model without several labels 0 x 0.
nb::ndarray<nb::numpy, const bool, nb::ndim<2>> has_label(nb::handle_t<Prediction> self) {
  const auto& prediction = nb::cast<const Prediction&>(self);
  static_assert(sizeof(bool) == sizeof(unsigned char));
  const bool none = prediction.has_label.empty();
  const std::size_t T = none ? 0 : to_size(prediction.task_decision.cols);
  static const unsigned char nothing = 0;
  const unsigned char* const first = none ? &nothing : prediction.has_label.data();
  return {
      reinterpret_cast<const bool*>(first), {none ? 0 : prediction.has_label.size() / T, T}, self};
}

Records claims(const Verification& verification) {
  Records list;
  for (const Claim& claim : verification.claims) {
    Record record;
    record["name"] = claim.name;
    record["agrees"] = claim.agrees;
    record["finding"] = claim.finding;
    record["reported"] = claim.reported;
    record["recomputed"] = claim.recomputed;
    list.append(record);
  }
  return list;
}

void bind_fields(nb::class_<Model>& type) {
  type.def_prop_ro("settings", settings, "What was asked for: loss, regularizer, C, ...")
      .def_prop_ro(
          "target", [](const Model& m) { return target_name(m.target); },
          "classes, numbers or none")
      .def_prop_ro(
          "scheme", [](const Model& m) { return scheme_name(m.scheme); },
          "single, one-vs-rest, one-vs-one, joint, labels, ...")
      .def_prop_ro(
          "coupling", [](const Model& m) { return m.coupling; }, "sum, minimax, separate or joint")
      .def_prop_ro(
          "names", [](const Model& m) { return m.names; },
          "Classes or labels; of a single task its negative and its positive class; of a "
          "regression none")
      .def_prop_ro("tasks", tasks,
                   "Of each task name, positive, negative, support (places in `support`), "
                   "coefficients, witness, bias, "
                   "threshold, primal, gap")
      .def_prop_ro(
          "weights", [](Self self) { return array_in(self, model_of(self).weights); },
          "Kernel weights, (1, M) where tasks share them, else (T, M)")
      .def_prop_ro(
          "norms", [](Self self) { return array_in(self, model_of(self).norms); },
          "||f_mk||, (T, M)")
      .def_prop_ro(
          "gamma", [](Self self) { return array_in(self, model_of(self).gamma); },
          "The weight of each task in the dual, (T,)")
      .def_prop_ro(
          "coefficients", [](const Model& m) { return array_of(coefficients_of(m)); },
          nb::rv_policy::automatic, "(|support|, T), 0 where a task has none")
      .def_prop_ro(
          "certificate", [](const Model& m) { return record_of(m.certificate); },
          "primal, dual, gap, relative_gap, ... for the training kernels; with landmarks for the "
          "Nystroem kernels")
      .def_prop_ro(
          "exact_certificate", [](const Model& m) { return exact_record(m.exact_certificate); },
          "primal, dual, gap, relative_gap, ... for the exact kernels; None without landmarks, or "
          "where they were not asked for")
      .def_prop_ro(
          "landmarks",
          [](const Model& m) -> nb::object {
            return m.landmarks ? nb::cast(m.support) : nb::none();
          },
          "The training rows of the landmarks, or None")
      .def_prop_ro("calibration", calibration,
                   "method (none, platt, isotonic or beta) and folds of the probabilities")
      .def_prop_ro("weights_in_views", &kernmix::weights_in_views,
                   "The weight that each kernel adds to its view: 0 if it acts as the identity")
      .def_prop_ro("kernels", kernels,
                   "Of each kernel name, view, group, function, parameters, columns, from_matrix, "
                   "normalization, scale, repair, smallest_eigenvalue, negative_eigenvalues, "
                   "mixes_columns, "
                   "weight, norm, raw_weight")
      .def_prop_ro("product", product,
                   "Of a learned product of kernels optimum (local), stationarity, objective, "
                   "penalty, start, iterations; None for a sum")
      .def_prop_ro("factors", factors, "As kernels, of the factors of a product; empty for a sum")
      .def_prop_ro(
          "columns", [](const Model& m) { return m.columns; }, "Columns that prediction reads")
      .def_prop_ro(
          "class_type", [](const Model& m) { return m.class_type; },
          "What classes or labels were before they became text: text, integer, number, boolean, or "
          "empty where that is not known")
      .def_prop_ro(
          "table_columns", [](const Model& m) { return m.table_columns; },
          "All columns of the training table in their order; none where that is not known")
      .def_prop_ro(
          "categories",
          [](const Model& m) {
            std::map<std::string, std::vector<std::string>> all;
            for (const Categories& own : m.categories) all[own.column] = own.values;
            return all;
          },
          "Of columns that hold words: the words, whose places are the numbers of the column")
      .def_prop_ro(
          "word_columns",
          [](const Model& m) {
            std::vector<std::string> columns;
            for (const Indicators& own : m.indicators) {
              if (!own.values.empty()) columns.push_back(own.column);
            }
            return columns;
          },
          "Columns whose words became indicators")
      .def(
          "sources",
          [](const Model& m, const std::vector<std::string>& columns) {
            return sources_of(columns, m.indicators);
          },
          nb::arg("columns"), "The columns of the data that these columns are made of")
      .def_prop_ro("scaling", scaling,
                   "rules of the views, taken and asked for; offset and divisor of `columns`")
      .def_prop_ro(
          "training_samples", [](const Model& m) { return m.training_samples; }, "n")
      .def_prop_ro(
          "training_hash", [](const Model& m) { return m.training_hash; }, "Of the training data")
      .def_prop_ro(
          "sample_weights", [](Self self) { return array_in(self, model_of(self).sample_weights); },
          "(n,), or empty: all 1")
      .def_prop_ro(
          "matrices", [](const Model& m) { return m.matrices; },
          "Names of given matrices, in order")
      .def_prop_ro(
          "presences",
          [](const Model& m) {
            std::map<std::string, Index> samples;
            for (const ModelPresence& own : m.presences) samples[own.view.name] = own.samples;
            return samples;
          },
          "Of each view that some training samples lack: the number of those that have it")
      .def_prop_ro(
          "support", [](Self self) { return array_in(self, model_of(self).support); },
          "Training rows that prediction needs, ascending")
      .def_prop_ro(
          "support_ids", [](const Model& m) { return m.support_ids; }, "Their names, or empty")
      .def_prop_ro(
          "support_values",
          [](Self self) -> nb::object {
            const SparseMatrix& sparse = model_of(self).sparse_support;
            if (sparse.rows == 0) return nb::cast(array_in(self, model_of(self).support_values));
            const auto entries =
                nb::make_tuple(array_in(self, sparse.values), nb::cast(sparse.columns),
                               array_in(self, sparse.starts));
            return nb::module_::import_("scipy.sparse")
                .attr("csr_matrix")(entries, nb::make_tuple(sparse.rows, sparse.cols));
          },
          "(|support|, |columns|), unscaled; a CSR matrix of a sparse table");
}

void bind_prediction(nb::module_& module) {
  using Itself = nb::handle_t<Prediction>;
  const auto of = [](Itself self) -> const Prediction& {
    return nb::cast<const Prediction&>(self);
  };
  nb::class_<Prediction>(module, "Prediction", "Of n samples; arrays that do not apply are empty.")
      .def_prop_ro(
          "task_decision", [of](Itself self) { return array_in(self, of(self).task_decision); },
          "(n, T)")
      .def_prop_ro(
          "decision", [of](Itself self) { return array_in(self, of(self).decision); },
          "(n, outputs)")
      .def_prop_ro(
          "winner", [of](Itself self) { return array_in(self, of(self).winner); },
          "(n,) places in Model.names, of classes and novelty detectors")
      .def_prop_ro("has_label", has_label, "(n, T), of several labels")
      .def_prop_ro(
          "probability", [of](Itself self) { return array_in(self, of(self).probability); },
          "(n, outputs): of the positive class of a single task, of each class or label")
      .def_prop_ro(
          "contributions", [of](Itself self) { return array_in(self, of(self).contributions); },
          "(n, kernels with weight), when asked for")
      .def_prop_ro(
          "contributing", [of](Itself self) { return array_in(self, of(self).contributing); },
          "Which kernels these are")
      .def_prop_ro(
          "views", [](const Prediction& own) { return own.views; },
          "Of each sample the views with weight that it has, joined by '+'; empty if neither a "
          "training sample nor one of these lacks a view");
}

void bind_verification(nb::module_& module) {
  nb::class_<Verification>(module, "Verification", "Everything that a model says, computed again.")
      .def_prop_ro("claims", claims, "Of each claim name, agrees, finding, reported, recomputed")
      .def_prop_ro(
          "reported", [](const Verification& v) { return record_of(v.reported); },
          "Bounds of the model")
      .def_prop_ro(
          "recomputed", [](const Verification& v) { return record_of(v.recomputed); },
          "Bounds found now")
      .def_prop_ro(
          "exact_reported", [](const Verification& v) { return exact_record(v.exact_reported); },
          "The same for the exact kernels, or None")
      .def_prop_ro(
          "exact_recomputed",
          [](const Verification& v) { return exact_record(v.exact_recomputed); },
          "The same for the exact kernels, or None")
      .def_prop_ro(
          "biases", [](const Verification& v) { return array_of(Vector(v.biases)); },
          nb::rv_policy::automatic, "The best ones, (T,)")
      .def_ro("difference", &Verification::difference,
              "The largest relative difference of the bounds")
      .def_ro("same_data", &Verification::same_data,
              "Whether the data is what the model was trained on")
      .def_ro("agrees", &Verification::agrees, "same_data, and every claim does");
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_prediction(module);
  bind_verification(module);
  nb::class_<Model> type(module, "Model", "A trained model, which does not change.");
  bind_fields(type);
  type.def_static(
          "load", [](const nb::object& path) { return load_model(path_of(path)); }, nb::arg("path"),
          "Of a model file.")
      .def(
          "save",
          [](const Model& model, const nb::object& path) { save_model(model, path_of(path)); },
          nb::arg("path"), "As a model file, which replaces another one at once or not at all.")
      .def_static("from_bytes", from_bytes, nb::arg("data"), "Of the bytes of a model file.")
      .def("to_bytes", to_bytes, "The bytes of a model file.")
      .def(
          "__reduce__",
          [](nb::handle_t<Model> self) {
            const nb::object make = nb::module_::import_("copyreg").attr("__newobj__");
            return nb::make_tuple(make, nb::make_tuple(self.type()), to_bytes(model_of(self)));
          },
          "For pickle, of any protocol.")
      .def("__getstate__", to_bytes)
      .def("__setstate__",
           [](Model& self, const nb::bytes& bytes) { new (&self) Model(from_bytes(bytes)); })
      .def("predict", predicted, nb::arg("data"), nb::kw_only(), nb::arg("contributions") = false,
           nb::arg("memory") = nb::none(), nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
           nb::arg("time_limit") = nb::none(), "Decision values and what follows from them.")
      .def("far_samples", far_samples, nb::arg("data"),
           "A sentence on samples far outside everything that training had, or None.")
      .def("verify", verified, nb::arg("data"), nb::kw_only(), nb::arg("memory") = nb::none(),
           nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
           nb::arg("time_limit") = nb::none(),
           "Everything that the model says, computed again from its training data.");
}

}  // namespace kernmix::python
