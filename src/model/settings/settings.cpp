#include "kernmix/settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

std::string kind_name(SettingKind kind) {
  switch (kind) {
    case SettingKind::kernels:
      return "kernels";
    case SettingKind::problem:
      return "problem";
    case SettingKind::solver:
      return "solver";
    case SettingKind::after:
      break;
  }
  return "after";
}

std::string Field::key() const {
  return flag.starts_with("--") ? flag.substr(2) : flag.substr(1, flag.find(',') - 1);
}

std::string Field::preset() const {
  if (form == SettingForm::toggle) return "";
  const std::vector<std::string> own = texts(TrainOptions());
  return own.empty() ? "" : own.front();
}

const Field& field_named(const std::string& name) {
  const auto found = std::ranges::find(fields(), name, &Field::name);
  if (found != fields().end()) return *found;
  std::vector<std::string> known;
  for (const Field& field : fields()) known.push_back(field.name);
  throw ParameterError(
      fmt::format("unknown setting {}{}", in_quotes(name), did_you_mean(name, known)));
}

const Field* field_of_key(const std::string& key) {
  const auto found = std::ranges::find_if(fields(), [&](const Field& field) {
    return field.key() == key || field.flag.ends_with(",--" + key);
  });
  return found == fields().end() ? nullptr : &*found;
}

TrainOptions options_of(const SettingTexts& texts, SettingNames called) {
  for (const auto& [name, own] : texts) static_cast<void>(field_named(name));
  TrainOptions options;
  for (const Field& field : fields()) {
    const auto written = texts.find(field.name);
    if (written == texts.end()) continue;
    field.set(options, written->second, called == SettingNames::flags ? field.flag : field.name);
  }
  return options;
}

bool share_kernels(const TrainOptions& left, const TrainOptions& right) {
  const bool same_rules = loss_target(left.loss) == loss_target(right.loss) &&
                          on_distances(left.loss) == on_distances(right.loss) &&
                          normalization_of(left) == normalization_of(right) &&
                          left.sample_weights == right.sample_weights;
  return same_rules && std::ranges::all_of(fields(), [&](const Field& field) {
           return field.kind != SettingKind::kernels || field.name == "normalization" ||
                  field.texts(left) == field.texts(right);
         });
}

}  // namespace kernmix
