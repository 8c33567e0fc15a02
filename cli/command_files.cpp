#include "command_files.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"
#include "data/arrays/array_place.hpp"
#include "data/number.hpp"
#include "train_options.hpp"

namespace kernmix::cli {
namespace {

/// "-o", or "--json" for an option without a short name.
std::string shown_name(const CLI::Option& option) {
  const std::vector<std::string>& letters = option.get_snames();
  return letters.empty() ? option.get_name() : "-" + letters.front();
}

void append(std::vector<std::string> more, std::vector<std::string>& inputs) {
  std::ranges::move(more, std::back_inserter(inputs));
}

/// Of 'NAME: OPTIONS' the files that these options of training name.
std::vector<std::string> files_in_options(const std::string& text) {
  TrainArguments arguments;
  CLI::App app;
  add_learning_options(app, arguments);
  try {
    app.parse(text.substr(std::min(text.find(':') + 1, text.size())));
  } catch (const CLI::ParseError&) {
    return {};  // which the command refuses
  }
  return files_of(app).inputs;
}

/// Of KEY=VALUES the values that name files.
std::vector<std::string> files_in_grid(const std::string& axis) {
  const std::size_t sign = std::min(axis.find('='), axis.size());
  std::vector<std::string> files;
  if (sign == axis.size()) return files;
  const std::string flag = "--" + axis.substr(0, sign);
  for (const Field& field : fields()) {
    if (field.flag != flag) continue;
    for (const std::string_view value :
         kernmix::split(std::string_view(axis).substr(sign + 1), ',')) {
      if (names_file(field.word, std::string(value))) files.emplace_back(value);
    }
  }
  return files;
}

std::vector<std::string> inputs_of(FileUse use, const CLI::Option& option,
                                   const std::string& value) {
  switch (use) {
    case FileUse::reads:
      return {value};
    case FileUse::reads_table:
      return {file_place(value).file};
    case FileUse::reads_names:
      return value.ends_with(".xml") ? std::vector<std::string>{value} : std::vector<std::string>{};
    case FileUse::reads_or_word:
      return names_file(option.get_type_name(), value) ? std::vector<std::string>{value}
                                                       : std::vector<std::string>{};
    case FileUse::options:
      return files_in_options(value);
    case FileUse::grid:
      return files_in_grid(value);
    default:
      return {};
  }
}

}  // namespace

std::vector<std::string> given_or_preset(const CLI::Option& option) {
  if (option.count() > 0) return option.results();
  const std::string preset = option.get_default_str();
  return preset.empty() ? std::vector<std::string>{} : std::vector<std::string>{preset};
}

bool names_file(const std::string& word, const std::string& value) {
  if (!word.ends_with("|FILE")) return false;
  const std::vector<std::string_view> words = kernmix::split(word, '|');
  return std::ranges::find(words, value) == words.end() && !parse_number(value);
}

CommandFiles files_of(CLI::App& command) {
  CommandFiles files;
  for (CLI::Option* const option : command.get_options()) {
    const FileUse use = use_of(*option);
    if (use == FileUse::none) continue;
    for (const std::string& value : given_or_preset(*option)) {
      if (use == FileUse::writes) {
        files.outputs.push_back({shown_name(*option), value});
      } else {
        append(inputs_of(use, *option, value), files.inputs);
      }
    }
  }
  std::ranges::replace(files.inputs, "-", "/dev/stdin");  // which may be a file
  return files;
}

}  // namespace kernmix::cli
