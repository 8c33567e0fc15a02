// Trains, predicts, scores and cross-validates by the public headers of the library, as a program
// of a user does. usage: kernmix_answers PROBLEM.json > ANSWERS.json
//
// The problem has a list "runs", each with a file to train on and one to predict, and at most one
// "cv" with the samples that each fold tests; both with what is learned. Numbers are written with
// all their digits.
#include <cmath>
#include <fstream>
#include <iostream>
#include <kernmix/error.hpp>
#include <kernmix/kernmix.hpp>
#include <kernmix/selection/cross_validation.hpp>
#include <kernmix/settings.hpp>
#include <nlohmann/json.hpp>

namespace {

using namespace kernmix;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// \param options  what it is read for
Dataset read(const Json& problem, const std::string& file, ReadOptions options) {
  options.label_column = problem.value("label", "");
  options.label_columns = problem.value("labels", Words());
  options.target_columns = problem.value("targets", Words());
  options.keep_missing = problem.value("keep_missing", false);  // samples that lack a view
  Dataset data;
  data.table = read_table(problem.at(file).get<Words>(), options);
  for (const auto& [name, columns] :
       problem.at("views").get<std::vector<std::pair<std::string, Words>>>()) {
    data.views.push_back({name, columns});
  }
  return data;
}

ReadOptions for_training(const Json& problem) {
  ReadOptions options;
  options.id_column = problem.value("id", "");
  options.ignore = problem.value("ignore", Words());
  return options;
}

ReadOptions for_prediction(const Model& model) {
  ReadOptions options;
  options.only = model.columns;
  return options;
}

/// A value of the problem as a setting reads it.
Words texts_of(const Json& value) {
  if (value.is_array()) return value.get<Words>();
  if (!value.is_object()) return {value.is_string() ? value.get<std::string>() : value.dump()};
  Words texts;
  for (const auto& [name, number] : value.items()) texts.push_back(name + "=" + number.dump());
  return texts;
}

TrainOptions training_options(const Json& problem) {
  SettingTexts texts;
  for (const Field& field : fields()) {
    if (problem.contains(field.name)) texts[field.name] = texts_of(problem[field.name]);
  }
  if (problem.value("balanced", false)) texts["class_weights"] = {"balanced"};
  TrainOptions options = options_of(texts, SettingNames::names);
  options.sample_weights = problem.value("sample_weights", Vector());
  options.groups = problem.value("groups", std::vector<Index>());
  return options;
}

Json rows_of(const Matrix& values) {
  Json rows = Json::array();
  for (Index i = 0; i < values.rows; ++i)
    rows.push_back(Vector(values.row(i).begin(), values.row(i).end()));
  return rows;
}

Json prediction_json(const Model& model, const Prediction& prediction) {
  Json labels = Json::array();
  for (const Index winner : prediction.winner) labels.push_back(model.names[to_size(winner)]);
  return {{"names", model.names},
          {"decision", rows_of(prediction.decision)},
          {"probability", rows_of(prediction.probability)},
          {"labels", labels},
          {"has_label", prediction.has_label}};
}

Json scores_json(const std::vector<Metric>& metrics) {
  Json values = Json::object();
  for (const Metric& metric : metrics)
    values[metric.name] = metric.value ? Json(*metric.value) : Json();
  return values;
}

Context context_of(const Json& problem) {
  Context context;
  context.threads = 1;
  context.seed = problem.value("seed", 0U);
  return context;
}

Json run(const Json& problem) {
  const Context context = context_of(problem);
  const Dataset data = read(problem, "train", for_training(problem));
  const Model model = train(data, training_options(problem), context).model;
  save_model(model, problem.at("model").get<std::string>());
  const Dataset fresh = read(problem, "new", for_prediction(model));
  const Prediction prediction = predict(model, fresh, context);
  Json answer = {{"prediction", prediction_json(model, prediction)}};
  if (problem.value("scored", true)) {
    answer["scores"] =
        scores_json(scores(model, fresh.table, prediction, problem.value("new_weights", Vector())));
  }
  return answer;
}

std::vector<Fold> folds_of(const Json& tested, Index n) {
  std::vector<Fold> folds;
  for (const auto& places : tested.get<std::vector<std::vector<Index>>>()) {
    Fold fold{{}, places};
    for (Index i = 0; i < n; ++i) {
      if (std::ranges::find(places, i) == places.end()) fold.train.push_back(i);
    }
    folds.push_back(std::move(fold));
  }
  return folds;
}

Json cv(const Json& problem) {
  const Dataset data = read(problem, "train", for_training(problem));
  const auto folds = folds_of(problem.at("tested"), data.table.samples());
  const CrossValidation found =
      cross_validate(data, {training_options(problem)}, folds, context_of(problem));
  Json answers = Json::array();
  for (const FoldScore& fold : found.models.front()) {
    answers.push_back({{"prediction", prediction_json(fold.learned, fold.prediction)},
                       {"scores", scores_json(fold.metrics)}});
  }
  return answers;
}

/// What `answer` gives, or what the library refuses.
template <typename Answer>
Json answered(const Answer& answer, const Json& problem) {
  try {
    return answer(problem);
  } catch (const Error& error) {
    return {{"refused", error.what()}};
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const Json problem = Json::parse(std::ifstream(arguments[1]));
  Json answers = {{"runs", Json::array()}};
  for (const Json& one : problem.at("runs")) answers["runs"].push_back(answered(run, one));
  if (problem.contains("cv")) answers["cv"] = answered(cv, problem["cv"]);
  std::cout << answers.dump() << "\n";
}
