#include "command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "layout.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kNameWidth = 32;
constexpr std::size_t kTextWidth = 66;

/// The layout of CLI11 with our usage line, wrapped descriptions and defaults at their end.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage) : usage_(std::move(usage)) {
    column_width(kNameWidth);
    label("Positionals", "Arguments");
  }
  std::string make_usage(const CLI::App* /*app*/, std::string name) const override {
    return fmt::format("\nUsage: {}{}\n", name, usage_.empty() ? "" : " " + usage_);
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_name().empty() || option->get_type_size() == 0) return "";
    return " " + option->get_type_name();
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    const std::string preset = option->get_default_str();
    if (!preset.empty()) text += fmt::format(" [default: {}]", preset);
    return wrapped(text, kTextWidth);
  }
  std::string make_subcommand(const CLI::App* command) const override {
    constexpr int kIndent = 13;
    std::string text = fmt::format("  {:<{}}", command->get_name(), kIndent - 2);
    for (const char c : wrapped(command->get_description(), kTextWidth)) {
      text += c;
      if (c == '\n') text.append(kIndent, ' ');
    }
    return text + "\n";
  }

 private:
  std::string usage_;
};

CLI::App* chosen_command(CLI::App& root) {
  const auto commands = root.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

std::vector<std::string> command_names(CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

/// Names that a mistyped one may mean. One letter is not mistyped for another one.
std::vector<std::string> names_like(const std::string& name, const CLI::App& app) {
  std::vector<std::string> names = option_names(app);
  const auto differs = [&](const std::string& own) {
    return name.size() == 2 && lowercase(own) != lowercase(name);
  };
  std::erase_if(names, differs);
  return names;
}

/// Says where the option exists, or which one may be meant.
std::string hint_of_option(CLI::App& root, const CLI::App& app, const std::string& name) {
  const auto has = [](const CLI::App& command, const std::string& option) {
    return command.get_option_no_throw(option) != nullptr;
  };
  if ((name == "-o" || name == "--output") && has(app, "--json")) {
    return ": the result is written to standard output, and to a file with --json";
  }
  std::vector<std::string> owners;
  for (const CLI::App* command : root.get_subcommands(nullptr)) {
    if (has(*command, name)) owners.push_back(command->get_name());
  }
  if (owners.empty()) return did_you_mean(name, names_like(name, app));
  const auto reads_model = [&](const std::string& command) {
    return has(*root.get_subcommand(command), "MODEL");
  };
  const bool trains = std::ranges::find(owners, "train") != owners.end();
  if (trains && has(app, "MODEL") && std::ranges::none_of(owners, reads_model)) {
    return ": it is an option of training, and the model has its value; leave it out";
  }
  return ", which is an option of kernmix " + listed(owners, 4);
}

/// Rejects unused arguments.
void refuse_leftovers(CLI::App& root) {
  CLI::App* const command = chosen_command(root);
  const CLI::App& app = command != nullptr ? *command : root;
  const std::string help = command != nullptr ? "kernmix " + command->get_name() : "kernmix";
  bool ended = false;  // by `--`, after which there are no options
  for (const std::string& argument : app.remaining()) {
    if (argument == "--" && !ended) {
      ended = true;
      continue;
    }
    if (!ended && argument.size() > 1 && argument.front() == '-') {
      const std::string name = argument.substr(0, argument.find('='));
      throw ParameterError(fmt::format("unknown option {}{}; see {} --help",
                                       kernmix::in_quotes(name), hint_of_option(root, app, name),
                                       help));
    }
    if (command == nullptr) {
      throw ParameterError(fmt::format("unknown command {}{}; see kernmix --help",
                                       kernmix::in_quotes(argument),
                                       did_you_mean(argument, command_names(root))));
    }
    throw ParameterError(
        fmt::format("unexpected argument {}; see {} --help", kernmix::in_quotes(argument), help));
  }
  if (command == nullptr) {
    throw ParameterError(fmt::format("a command is missing: one of {}; see kernmix --help",
                                     listed(command_names(root), 20)));
  }
}

/// Our sentence for an error of CLI11: "-C: 1 required NUMBER missing" -> "option -C needs a
/// value".
std::string sentence(const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  if (text.find("At Most") != std::string::npos) {
    return fmt::format("option {} was given more than once", name);
  }
  if (text.find("missing") != std::string::npos || text.find("At least") != std::string::npos) {
    return fmt::format("option {} needs a value", name);
  }
  return text;
}

/// The command that the arguments name, or the program itself.
CLI::App& named_command(CLI::App& root, const std::vector<std::string>& arguments) {
  for (const std::string& argument : arguments) {
    for (CLI::App* const command : root.get_subcommands(nullptr)) {
      if (command->get_name() == argument) return *command;
    }
  }
  return root;
}

/// CLI11 takes what follows an option for its value: in `--calibrate -o model.kmx` the value of
/// --calibrate would be -o.
void refuse_options_as_values(CLI::App& root, int argc, const char* const* argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const CLI::App& command = named_command(root, arguments);
  const auto option = [&](const std::string& text) {
    return text.starts_with('-') ? command.get_option_no_throw(text) : nullptr;
  };
  for (std::size_t i = 0; i + 1 < arguments.size() && arguments[i] != "--"; ++i) {
    const CLI::Option* const own = option(arguments[i]);
    if (own == nullptr || own->get_items_expected_min() == 0) continue;
    const std::string& value = arguments[++i];
    if (option(value) == nullptr) continue;
    throw ParameterError(fmt::format("option {} needs a value, {}, before the option {}",
                                     arguments[i - 1], own->get_type_name(), value));
  }
}

}  // namespace

std::string with_option_names(std::string message) {
  for (const Field& field : fields()) {
    const std::string setting = "(" + field.name + "=";
    const bool same_name = field.flag == "--" + field.name;
    for (std::size_t at = message.find(setting); same_name && at != std::string::npos;
         at = message.find(setting, at)) {
      message.replace(at, setting.size(), "(" + field.flag + " ");
    }
  }
  return message;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

CLI::App& add_command(CLI::App& root, const HelpText& text) {
  CLI::App& app = *root.add_subcommand(text.name, text.purpose);
  app.formatter(std::make_shared<HelpFormatter>(text.usage));
  app.footer("Examples:\n" + text.examples + "\n" + text.more);
  app.allow_extras();
  app.group("Commands");
  return app;
}

namespace {

/// An argument has one name in the help, not two: "MODEL", as in the usage line.
void hide_word_of_argument(CLI::Option& option) {
  if (option.get_positional()) option.option_text(" ");
}

}  // namespace

namespace {

constexpr const char* kUseOfFile = "use of a file ";

/// An option of CLI11 keeps its checks by name: one that accepts everything holds the use.
void set_use(CLI::Option& option, FileUse use) {
  if (use == FileUse::none) return;
  const auto accepts = [](const std::string& /*text*/) { return std::string(); };
  option.check(accepts, "", kUseOfFile);
  option.check(accepts, "", kUseOfFile + std::to_string(static_cast<int>(use)));
}

}  // namespace

FileUse use_of(CLI::Option& option) {
  try {
    (void)option.get_validator(kUseOfFile);
  } catch (const CLI::OptionNotFound&) {
    return FileUse::none;
  }
  for (int use = 0; use <= static_cast<int>(FileUse::writes_folder); ++use) {
    try {
      (void)option.get_validator(kUseOfFile + std::to_string(use));
      return static_cast<FileUse>(use);
    } catch (const CLI::OptionNotFound&) {
      continue;
    }
  }
  return FileUse::none;
}

void OptionGroup::value(const std::string& names, std::string& target, Word word,
                        const std::string& description) {
  CLI::Option* const option = app_.add_option(names, target, description)->group(heading_);
  set_use(*option, word.use());
  option->type_name(word.text())
      ->default_str(target)
      ->check([](const std::string& text) { return text.empty() ? "value missing" : ""; }, "", "");
  hide_word_of_argument(*option);
}

void OptionGroup::values(const std::string& names, std::vector<std::string>& target, Word word,
                         const std::string& description) {
  CLI::Option* const option =
      app_.add_option(names, target, description)->group(heading_)->type_name(word.text());
  set_use(*option, word.use());
  if (!option->get_positional()) option->allow_extra_args(false);
  hide_word_of_argument(*option);
}

void OptionGroup::list(const std::string& names, std::vector<std::string>& target, Word word,
                       const std::string& description) {
  CLI::Option* const option =
      app_.add_option(names, target, description)->group(heading_)->type_name(word.text());
  set_use(*option, word.use());
}

void OptionGroup::toggle(const std::string& names, bool& target, const std::string& description) {
  app_.add_flag(names, target, description)->group(heading_);
}

void OptionGroup::setting(const Field& field, SettingTexts& texts) {
  const std::string name = field.name;
  if (field.form == SettingForm::toggle) {
    app_.add_flag_function(
            field.flag,
            [&texts, name](std::int64_t count) { texts[name] = {count > 0 ? "true" : "false"}; },
            field.help)
        ->group(heading_);
    return;
  }
  CLI::Option* const option = app_.add_option_function<std::vector<std::string>>(
      field.flag, [&texts, name](const std::vector<std::string>& own) { texts[name] = own; },
      field.help);
  option->group(heading_)->type_name(field.word)->default_str(field.preset());
  if (field.word.ends_with("|FILE")) set_use(*option, FileUse::reads_or_word);
  if (field.form == SettingForm::list || field.form == SettingForm::shares) {
    option->allow_extra_args(false);
    return;
  }
  option->expected(1)->check(
      [](const std::string& text) { return text.empty() ? "value missing" : ""; }, "", "");
}

void require(bool given, const std::string& name, const std::string& explanation) {
  if (!given) throw ParameterError(fmt::format("{} is missing: {}", name, explanation));
}

bool parse_command_line(CLI::App& root, int argc, const char* const* argv) {
  root.formatter(std::make_shared<HelpFormatter>("COMMAND [OPTIONS]"));
  root.allow_extras();
  root.require_subcommand(0, 1);
  for (CLI::App* command : root.get_subcommands(nullptr)) {
    command->set_help_flag("-h,--help", "Show this help and exit")->group("General");
  }
  refuse_options_as_values(root, argc, argv);
  try {
    root.parse(argc, argv);
  } catch (const CLI::Success& request) {
    std::ostringstream out;
    std::ostringstream unused;
    (void)root.exit(request, out, unused);
    write_stdout(out.str());
    return true;
  } catch (const CLI::ParseError& error) {
    throw ParameterError(sentence(error));
  }
  refuse_leftovers(root);
  return false;
}

}  // namespace kernmix::cli
