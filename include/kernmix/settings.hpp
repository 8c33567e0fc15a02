#pragma once
/// \file
/// The settings of training, each declared once (src/model/settings/fields.cpp). The command line,
/// TOML files, grids, results in JSON, the keywords of Python and docs/reference/settings.md derive
/// from fields(). What belongs to the samples (weights, groups, views) is no setting.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// What a setting changes: the kernels themselves, the problem on them, how it is solved, or what
/// is fitted to its solution.
enum class SettingKind { kernels, problem, solver, after };
[[nodiscard]] std::string kind_name(SettingKind kind);

/// The values that a setting takes.
enum class SettingForm {
  text,
  number,
  whole,   ///< a whole number
  toggle,  ///< "true" or "false"
  list,    ///< of texts
  shares   ///< a list of "NAME=NUMBER", or one word
};

/// One setting of TrainOptions.
struct Field {
  std::string name;     ///< "calibration_folds": in results and in Python
  std::string flag;     ///< "--calibration-folds": on the command line
  std::string word;     ///< "K": stands for the value in the help
  std::string heading;  ///< of the help
  std::string help;     ///< one sentence; what it may be, and its default where that depends
  SettingKind kind = SettingKind::problem;
  SettingForm form = SettingForm::text;
  /// As `set` reads it; empty where it is left to a rule.
  std::function<std::vector<std::string>(const TrainOptions&)> texts;
  /// \param called  how the caller names it, for messages \throws ParameterError with the range
  std::function<void(TrainOptions&, const std::vector<std::string>& texts,
                     const std::string& called)>
      set;

  /// "calibration-folds", in TOML files and grids: the flag without its dashes; of -C, "C".
  [[nodiscard]] std::string key() const;
  /// The default as text; "" where a rule decides.
  [[nodiscard]] std::string preset() const;
};

/// All settings, in the order of the help.
[[nodiscard]] const std::vector<Field>& fields();

/// \throws ParameterError for a name that is not one of them
[[nodiscard]] const Field& field_named(const std::string& name);
/// Null where no setting has this key.
[[nodiscard]] const Field* field_of_key(const std::string& key);

/// What somebody wrote for some settings, by name.
using SettingTexts = std::map<std::string, std::vector<std::string>>;

/// How a setting is called in messages.
enum class SettingNames { flags, names };

/// The options with the settings that are written, the others at their defaults.
/// \throws ParameterError naming the setting
[[nodiscard]] TrainOptions options_of(const SettingTexts& texts,
                                      SettingNames called = SettingNames::flags);

/// Models with these options have the same kernels on the same samples: all settings of that kind
/// agree, defaults of the loss included.
[[nodiscard]] bool share_kernels(const TrainOptions& left, const TrainOptions& right);

}  // namespace kernmix
