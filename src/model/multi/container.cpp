#include "kernmix/error.hpp"
#include "model/file/basis_container.hpp"
#include "model/file/header.hpp"
#include "model/file/model_container.hpp"

namespace kernmix {
namespace {

constexpr const char* multi_format_name = "kernmix model of many tasks";
constexpr std::uint32_t multi_model_version = 3;

Json task_entry(const TaskModel& task) {
  return {{"name", task.name},
          {"positive", task.positive},
          {"negative", task.negative < 0 ? Json(nullptr) : Json(task.negative)},
          {"support_vectors", task.support.size()},
          {"proof", !task.proof.empty()},
          {"bias", task.bias},
          {"threshold", task.threshold},
          {"primal", task.primal},
          {"gap", task.gap}};
}

/// What the tasks keep of their support vectors, end to end.
struct TaskBlocks {
  std::vector<Index> support;
  Vector coefficients;
  Vector proof;
};

TaskBlocks task_blocks(const std::vector<TaskModel>& tasks) {
  TaskBlocks all;
  for (const TaskModel& task : tasks) {
    all.support.insert(all.support.end(), task.support.begin(), task.support.end());
    all.coefficients.insert(all.coefficients.end(), task.coefficients.begin(),
                            task.coefficients.end());
    all.proof.insert(all.proof.end(), task.proof.begin(), task.proof.end());
  }
  return all;
}

/// The next `count` entries of a block, from `next` on.
template <typename T>
std::vector<T> take_entries(const std::vector<T>& values, std::size_t& next, Index count) {
  if (count > length(values) - static_cast<Index>(next)) {
    throw DataError("has tasks of more support vectors than its blocks hold");
  }
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(next);
  next += static_cast<std::size_t>(count);
  return {begin, begin + count};
}

Index read_negative(const Json& entry) {
  const auto found = entry.find("negative");
  return found != entry.end() && found->is_null() ? -1 : get_count(entry, "negative");
}

std::vector<TaskModel> read_tasks(const Json& entries, const TaskBlocks& all) {
  std::vector<TaskModel> tasks;
  std::size_t at_support = 0;
  std::size_t at_coefficients = 0;
  std::size_t at_proof = 0;
  for (const Json& entry : entries) {
    TaskModel& task = tasks.emplace_back();
    task.name = get_text(entry, "name");
    task.positive = get_count(entry, "positive");
    task.negative = read_negative(entry);
    const Index count = get_count(entry, "support_vectors");
    task.support = take_entries(all.support, at_support, count);
    task.coefficients = take_entries(all.coefficients, at_coefficients, count);
    if (get_flag(entry, "proof")) task.proof = take_entries(all.proof, at_proof, count);
    task.bias = get_number(entry, "bias");
    task.threshold = get_number(entry, "threshold");
    task.primal = get_number(entry, "primal");
    task.gap = get_number(entry, "gap");
  }
  if (at_support != all.support.size() || at_coefficients != all.coefficients.size() ||
      at_proof != all.proof.size()) {
    throw DataError("has blocks of more support vectors than its tasks name");
  }
  return tasks;
}

}  // namespace

bool is_multi_model(const Container& container) {
  return get_text(container.header, "format") == multi_format_name;
}

Container to_container(const MultiModel& model) {
  Container container;
  container.version = multi_model_version;
  Json& header = container.header;
  header["format"] = multi_format_name;
  header["scheme"] = scheme_name(model.scheme);
  header["sharing"] = model.sharing;
  header["names"] = model.names;
  header["settings"] = settings_entry(model.settings);
  header["certificate"] = bounds_entry(model.certificate);
  put_basis(model, container);
  Json& tasks = header["tasks"] = Json::array();
  for (const TaskModel& task : model.tasks) tasks.push_back(task_entry(task));
  const TaskBlocks all = task_blocks(model.tasks);
  container.blocks.push_back({"weights", model.weights});
  container.blocks.push_back({"norms", model.norms});
  container.blocks.push_back(vector_block("gamma", model.gamma));
  container.blocks.push_back(index_block("task_support", all.support));
  container.blocks.push_back(vector_block("task_coefficients", all.coefficients));
  container.blocks.push_back(vector_block("task_proof", all.proof));
  return container;
}

MultiModel to_multi_model(const Container& container) {
  const Json& header = container.header;
  if (!is_multi_model(container)) throw DataError("is not a model of many tasks");
  if (container.version < multi_model_version) {
    throw DataError("is a model of many tasks in a version that knew none");
  }
  MultiModel model;
  model.scheme = parse_scheme(get_text(header, "scheme"));
  model.sharing = get_text(header, "sharing");
  model.names = get_texts(header, "names");
  model.certificate = read_bounds(get_object(header, "certificate"));
  read_basis(container, model);
  model.weights = find_block(container, "weights");
  model.norms = find_block(container, "norms");
  model.gamma = find_vector(container, "gamma");
  const TaskBlocks all{
      find_indices(container, "task_support", "a task with a support vector whose place"),
      find_vector(container, "task_coefficients"), find_vector(container, "task_proof")};
  model.tasks = read_tasks(get_list(header, "tasks"), all);
  return model;
}

}  // namespace kernmix
