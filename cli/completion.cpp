#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/arguments.hpp"
#include "command.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/solve.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

const HelpText kCompletionHelp = {
    "completion", "Print a script that completes commands, options and names in a shell.", "SHELL",
    "  kernmix completion bash > ~/.local/share/bash-completion/completions/kernmix\n"
    "  echo 'source <(kernmix completion zsh)' >> ~/.zshrc\n"
    "  kernmix completion fish > ~/.config/fish/completions/kernmix.fish\n",
    "SHELL is bash, zsh or fish. The script lists the options of this version: for bash and fish\n"
    "write it again after an update."};

std::string words_of(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// The names before the parameters: "lp" of "lp:p=P".
template <typename Info>
std::vector<std::string> first_words(const std::vector<Info>& rows) {
  std::vector<std::string> names;
  for (const Info& row : rows) {
    const std::string name = name_of(row.example);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Options whose values are names, with these.
struct NamedValues {
  std::string flag;
  std::vector<std::string> names;
};
std::vector<NamedValues> named_values() {
  std::vector<std::string> solvers = solver_names();
  for (const std::string& name : solver_names(Coupling::sum)) {
    if (std::ranges::find(solvers, name) == solvers.end()) solvers.push_back(name);
  }
  solvers.insert(solvers.begin(), "auto");
  return {{"--loss", first_words(losses())},
          {"--regularizer", first_words(regularizers())},
          {"--solver", solvers}};
}

std::string bash_script(CLI::App& root) {
  std::vector<std::string> names;
  std::string options;
  for (const CLI::App* command : root.get_subcommands(nullptr)) {
    names.push_back(command->get_name());
    options +=
        fmt::format("    {}) words='{}' ;;\n", names.back(), words_of(option_names(*command)));
  }
  std::string values;
  for (const NamedValues& option : named_values()) {
    values += fmt::format("    {}) words='{}' ;;\n", option.flag, words_of(option.names));
  }
  return fmt::format(R"(# Completion of kernmix for bash.
_kernmix() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words=''
  COMPREPLY=()
  case ${{COMP_WORDS[COMP_CWORD - 1]}} in
{}  esac
  if [ -z "$words" ]; then
    if [ "$COMP_CWORD" = 1 ]; then
      words='{} {}'
    elif [ "${{current#-}}" != "$current" ]; then
      case ${{COMP_WORDS[1]}} in
{}      esac
    fi
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}}
complete -o default -F _kernmix kernmix
)",
                     values, words_of(names), words_of(option_names(root)), options);
}

std::string zsh_script(CLI::App& root) {
  return "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" +
         bash_script(root);
}

/// In single quotes of fish.
std::string fish_quoted(const std::string& text) {
  std::string text_in_quotes = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') text_in_quotes += '\\';
    text_in_quotes += c == '\n' ? ' ' : c;
  }
  return text_in_quotes + "'";
}

std::string fish_option(const CLI::App& command, const CLI::Option& option) {
  std::string line =
      fmt::format("complete -c kernmix -n '__fish_seen_subcommand_from {}'", command.get_name());
  for (const std::string& name : option.get_snames()) line += " -s " + name;
  for (const std::string& name : option.get_lnames()) line += " -l " + name;
  if (option.get_items_expected_max() > 0) line += " -r";
  for (const NamedValues& known : named_values()) {
    if (option.check_lname(known.flag.substr(2))) {
      line += fmt::format(" -fa '{}'", words_of(known.names));
    }
  }
  return fmt::format("{} -d {}\n", line, fish_quoted(option.get_description()));
}

std::string fish_script(CLI::App& root) {
  std::string script = "# Completion of kernmix for fish.\n";
  for (const CLI::App* command : root.get_subcommands(nullptr)) {
    script += fmt::format("complete -c kernmix -n __fish_use_subcommand -fa {} -d {}\n",
                          command->get_name(), fish_quoted(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      if (!option->get_positional()) script += fish_option(*command, *option);
    }
  }
  return script;
}

std::string script_for(const std::string& shell, CLI::App& root) {
  if (shell == "bash") return bash_script(root);
  if (shell == "zsh") return zsh_script(root);
  if (shell == "fish") return fish_script(root);
  throw ParameterError(
      fmt::format("SHELL: unknown shell '{}', known are bash, zsh and fish", shell));
}

}  // namespace

Command make_completion(CLI::App& root) {
  const auto shell = std::make_shared<std::string>();
  CLI::App& app = add_command(root, kCompletionHelp);
  OptionGroup(app, "Arguments").value("SHELL", *shell, "SHELL", "bash, zsh or fish");
  return {&app, nullptr, [shell, &root] {
            require(!shell->empty(), "SHELL", "name bash, zsh or fish");
            write_stdout(script_for(*shell, root));
            return kDone;
          }};
}

}  // namespace kernmix::cli
