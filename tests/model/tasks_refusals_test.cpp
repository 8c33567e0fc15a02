/// \file
/// What train refuses, and that it does so before any kernel is computed.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kernmix/error.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

using Change = std::function<void(Dataset&, TrainOptions&)>;

std::string refusal_of(Dataset data, const Change& change, ErrorKind kind) {
  TrainOptions options = toy_task_options();
  change(data, options);
  Context context;
  context.progress = [](const Progress&) { ADD_FAILURE() << "kernels were built"; };
  try {
    (void)train(data, options, context);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "not refused";
}

std::string of_classes(const Change& change, ErrorKind kind = ErrorKind::parameter) {
  return refusal_of(toy_classes(40, 3, 21), change, kind);
}
std::string of_labels(const Change& change, ErrorKind kind = ErrorKind::parameter) {
  return refusal_of(toy_labels(40, 22), change, kind);
}

TEST(MultiRefusals, OfClasses) {
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.positive = "c1"; }),
            "a positive class is chosen among two classes; of many tasks, each class or label has "
            "a task of its own: leave it out");
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.coupling = "max"; }),
            "sharing must be sum, minimax or separate, got 'max'");
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.loss = "squared"; }),
            "classes and labels need a loss for two classes, not squared");
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.threshold_folds = 3; }),
            "thresholds by cross-fitting belong to labels; the class of a sample is the one with "
            "the largest decision value");
  EXPECT_EQ(of_classes([](auto&, auto& o) {
              o.class_weights = {{"c7", 2.0}};
            }),
            "class weight for unknown class 'c7', the classes are c0, c1, c2");
  EXPECT_EQ(of_classes([](auto&, auto& o) {
              o.class_weights = {{"c1", 0.0}};
            }),
            "the weight of class 'c1' must be > 0 and finite, got 0");
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.C = 0.0; }), "C must lie in [1e-50, 1e+50], got 0");
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.solver.solver = "smo"; }).substr(0, 43),
            "unknown solver 'smo' for shared weights, kn");
  EXPECT_EQ(of_classes([](auto&, auto& o) { o.regularizer = "alignment"; }),
            "alignment computes its weights from the targets of one task");
  EXPECT_EQ(of_classes([](auto& d, auto&) { d.table.labels.assign(40, "c1"); }, ErrorKind::data),
            "at least two classes are needed, all 40 samples have the label 'c1'");
  EXPECT_EQ(of_classes([](auto& d, auto&) { d.table.labels.pop_back(); }, ErrorKind::data),
            "toy.csv has 40 samples, the label column has 39");
  EXPECT_EQ(of_classes([](auto&, auto& o) {
              o.loss = "nu-svc:nu=0.9";
              o.C = 1.0;
            }).substr(0, 12),
            "class 'c0': ");
}

TEST(MultiRefusals, OfClassesTrainedTogether) {
  const auto refused = [](const std::function<void(TrainOptions&)>& change) {
    return of_classes([&](Dataset&, TrainOptions& options) {
      options.scheme = TaskScheme::joint;
      change(options);
    });
  };
  EXPECT_EQ(refused([](auto& o) { o.loss = "logistic"; }),
            "joint supports only the hinge of all classes, got logistic: choose "
            "hinge or the scheme one-vs-rest");
  for (const char* sharing : {"minimax", "separate"}) {
    EXPECT_EQ(refused([&](auto& o) { o.coupling = sharing; }),
              fmt::format("joint is one problem of all classes without sharing, got {}: "
                          "leave it out or choose the scheme one-vs-rest",
                          sharing));
  }
  EXPECT_EQ(refused([](auto& o) { o.bias = Bias::penalised; }),
            "classes trained together have free biases or none; for a penalised bias add a "
            "constant kernel");
  EXPECT_EQ(refused([](auto& o) { o.solver.solver = "lazy-bundle"; }),
            "unknown solver 'lazy-bundle' for classes trained together, known are auto, newton");
  EXPECT_EQ(refused([](auto& o) { o.solver.solver = "silp"; }),
            "solver silp does not take loss crammer-singer: it cannot train classes together; use "
            "newton");
  EXPECT_EQ(refused([](auto& o) { o.regularizer = "alignment"; }),
            "alignment computes its weights from the targets of one task, not of all classes");
  EXPECT_EQ(refused([](auto& o) { o.threshold_folds = 3; }).substr(0, 27),
            "thresholds by cross-fitting");
}

/// The loss has one scheme, which need not be named.
TEST(MultiRefusals, OfALossOfAllClasses) {
  const auto with_loss = [](TrainOptions& o, auto scheme) {
    o.loss = "crammer-singer";
    o.scheme = scheme;
  };
  const auto sentence = [](const char* scheme) {
    return fmt::format(
        "crammer-singer trains all classes together, unlike the scheme {}: leave the scheme out, "
        "or choose hinge",
        scheme);
  };
  for (const TaskScheme scheme : {TaskScheme::one_vs_rest, TaskScheme::one_vs_one}) {
    EXPECT_EQ(of_classes([&](auto&, auto& o) { with_loss(o, scheme); }),
              sentence(scheme_name(scheme).c_str()));
  }
  EXPECT_EQ(of_labels([&](auto&, auto& o) { with_loss(o, std::nullopt); }), sentence("labels"));
  EXPECT_EQ(of_classes([&](auto&, auto& o) {
              with_loss(o, std::nullopt);
              o.coupling = "minimax";
            }),
            "joint is one problem of all classes without sharing, got minimax: leave it "
            "out or choose the scheme one-vs-rest");
}

TEST(MultiRefusals, OfLabels) {
  EXPECT_EQ(of_labels([](auto&, auto& o) {
              o.class_weights = {{"low", 2.0}};
            }),
            "class weights belong to classes; samples with several labels take sample weights "
            "instead");
  const auto fill = [](unsigned char value) {
    return [value](Dataset& d, TrainOptions&) {
      for (std::size_t i = 1; i < d.table.multi_labels.values.size(); i += 3) {
        d.table.multi_labels.values[i] = value;
      }
    };
  };
  EXPECT_EQ(of_labels(fill(0), ErrorKind::data),
            "label 'low': no samples have it, so there is nothing to learn; leave it out");
  EXPECT_EQ(of_labels(fill(1), ErrorKind::data),
            "label 'low': all samples have it, so there is nothing to learn; leave it out");
  EXPECT_EQ(of_labels([](auto&, auto& o) { o.threshold_folds = 1; }),
            "the number of folds for thresholds must be 0 or at least 2, got 1");
  EXPECT_EQ(of_labels([](auto&, auto& o) { o.threshold_folds = 41; }),
            "there are 41 folds for thresholds and only 40 samples");
  EXPECT_EQ(
      of_labels([](auto& d, auto&) { d.table.multi_labels.names[1] = "caf\xe9"; }, ErrorKind::data),
      "toy.csv: a label is not UTF-8 text; convert the file, for example with iconv");
  EXPECT_EQ(of_labels(
                [](auto& d, auto& o) {
                  d = toy_classes(40, 3, 21);
                  o.scheme = TaskScheme::labels;
                },
                ErrorKind::data),
            "toy.csv: has no label matrix; name the label columns");
}

TEST(MultiRefusals, OfTargets) {
  const auto refused = [](const Change& change, ErrorKind kind = ErrorKind::parameter) {
    return refusal_of(
        toy_targets(40, 26),
        [&](Dataset& d, TrainOptions& o) {
          o.loss = "squared";
          change(d, o);
        },
        kind);
  };
  EXPECT_EQ(refused([](auto&, auto& o) { o.loss = "hinge"; }),
            "several targets need a loss for numbers such as squared, not hinge");
  EXPECT_EQ(refused([](auto&, auto& o) { o.loss = "one-class:nu=0.1"; }).substr(0, 34),
            "several targets need a loss for nu");
  EXPECT_EQ(refused([](auto&, auto& o) {
              o.class_weights = {{"sum", 2.0}};
            }),
            "class weights need a loss of two classes, squared learns from numbers; give sample "
            "weights instead");
  EXPECT_EQ(refused([](auto&, auto& o) { o.positive = "sum"; }),
            "a positive class needs a loss of two classes, squared learns from numbers");
  EXPECT_EQ(refused([](auto&, auto& o) { o.coupling = "max"; }),
            "sharing must be sum, minimax or separate, got 'max'");
  EXPECT_EQ(refused([](auto&, auto& o) { o.threshold_folds = 3; }).substr(0, 27),
            "thresholds by cross-fitting");
  EXPECT_EQ(refused([](auto& d, auto&) { d.table.targets.values(3, 1) = NAN; }, ErrorKind::data),
            "toy.csv: target 'product' of sample 4 is nan, not a finite number; leave the sample "
            "out");
  EXPECT_EQ(refused([](auto& d, auto&) { d.table.targets.names.pop_back(); }),
            "toy.csv: 3 columns of targets for 2 names");
  EXPECT_EQ(refused([](auto& d, auto&) { d.table.targets.names[0] = "wave"; }),
            "toy.csv: two targets have the same name");
  EXPECT_EQ(
      refused([](auto& d, auto&) { d.table.targets.values = Matrix(39, 3); }, ErrorKind::data),
      "toy.csv has 40 samples, the matrix of targets has 39");
  EXPECT_EQ(refused([](auto& d, auto&) { d.table.targets.values.values.pop_back(); }),
            "the targets of toy.csv: a matrix of 40 x 3 numbers holds 119");
  EXPECT_EQ(refused(
                [](auto& d, auto& o) {
                  d.table.targets = {};
                  o.scheme = TaskScheme::targets;
                },
                ErrorKind::data),
            "toy.csv: has no targets; name their columns");
}

TEST(MultiRefusals, TheMemoryOfManyTasksIsCountedBefore) {
  Dataset data = toy_classes(400, 10, 23);
  TrainOptions options = toy_task_options("sum", TaskScheme::one_vs_rest);
  const std::size_t planned = train(data, options, {}).plan.total();
  for (const char* sharing : {"sum", "minimax", "separate"}) {
    options.coupling = sharing;
    Context context;
    context.progress = [](const Progress&) { ADD_FAILURE() << "kernels were built"; };
    for (const TaskScheme scheme : {TaskScheme::one_vs_rest, TaskScheme::one_vs_one}) {
      options.scheme = scheme;
      context.memory_bytes = planned / (scheme == TaskScheme::one_vs_one ? 200 : 50);
      EXPECT_THROW((void)train(data, options, context), ResourceError) << sharing;
    }
  }
}

TEST(MultiRefusals, TheMemoryOfClassesTrainedTogetherIsCountedBefore) {
  const Dataset data = toy_classes(400, 4, 25);
  const TrainOptions options = toy_task_options("sum", TaskScheme::joint);
  Context context;
  const MemoryPlan plan = train(data, options, context).plan;
  context.progress = [](const Progress&) { ADD_FAILURE() << "kernels were built"; };
  context.memory_bytes = plan.total() - plan.bank_bytes - 1;  // without any kernel
  EXPECT_THROW((void)train(data, options, context), ResourceError);
}

TEST(MultiRefusals, VerifyAndPredictNameWhatIsMissing) {
  const Model model = train(toy_labels(40, 24), toy_task_options(), {}).model;
  Dataset other = toy_labels(40, 24);
  other.table.multi_labels.names[2] = "even";
  try {
    (void)verify(model, other, {});
    FAIL();
  } catch (const DataError& failure) {
    EXPECT_STREQ(failure.what(), "toy.csv: has no label 'odd', which the model knows");
  }
  const Dataset numbers = toy_targets(40, 24);
  const Model regression = train(numbers, toy_task_options("sum", TaskScheme::targets), {}).model;
  other = numbers;
  other.table.targets.names[2] = "tide";
  try {
    (void)verify(regression, other, {});
    FAIL();
  } catch (const DataError& failure) {
    EXPECT_STREQ(failure.what(), "toy.csv: has no target 'wave', which the model knows");
  }
  Dataset narrow = toy_labels(40, 24);
  narrow.table.columns = {"a1", "a2", "b1"};
  narrow.table.values = select_columns(toy_labels(40, 24).table, narrow.table.columns);
  EXPECT_THROW((void)predict(model, narrow, {}), DataError);
}

TEST(MultiRefusals, NamesOfSchemesParseBack) {
  for (const TaskScheme scheme : {TaskScheme::one_vs_rest, TaskScheme::one_vs_one,
                                  TaskScheme::joint, TaskScheme::labels, TaskScheme::targets}) {
    EXPECT_EQ(parse_scheme(scheme_name(scheme)), scheme);
  }
  EXPECT_THROW((void)parse_scheme("ovr"), ParameterError);
}

}  // namespace
}  // namespace kernmix::testing
