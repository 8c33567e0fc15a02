#pragma once
/// \file
/// The settings of training, each declared once (src/model/settings/fields.cpp). The command line,
/// TOML files, grids, results in JSON, the keywords of Python and docs/reference/settings.md derive
/// from fields(). Properties of the samples (weights, groups, views) are not settings.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// The part of training that a setting changes: the kernels, the problem on them, its solver, or
/// steps after the solution.
enum class SettingKind { kernels, problem, solver, after };
[[nodiscard]] std::string kind_name(SettingKind kind);

/// The type of the values of a setting.
enum class SettingForm {
  text,
  text_or_whole,  ///< a text, or a whole number
  number,
  whole,   ///< a whole number
  toggle,  ///< "true" or "false"
  list,    ///< of texts
  shares   ///< a list of "NAME=NUMBER", or one word
};

/// The models that have a setting, by what they learn.
struct ModelKinds {
  bool classes = true;    ///< one of each sample
  bool labels = true;     ///< any number of each sample
  bool numbers = true;    ///< one or several of each sample
  bool novelties = true;  ///< without targets
};

/// One setting of TrainOptions.
struct Field {
  std::string name;     ///< "calibration_folds": its name in results and in Python
  std::string flag;     ///< "--calibration-folds": on the command line
  std::string word;     ///< "K": stands for the value in the help
  std::string heading;  ///< of the help
  std::string help;     ///< one sentence: the range, and the default if a rule determines it
  SettingKind kind = SettingKind::problem;
  SettingForm form = SettingForm::text;
  /// The value in the form that `set` reads; empty if a rule determines it.
  std::function<std::vector<std::string>(const TrainOptions&)> texts = {};
  /// \param called  name of the setting in messages \throws ParameterError with the range
  std::function<void(TrainOptions&, const std::vector<std::string>& texts,
                     const std::string& called)>
      set = {};
  ModelKinds models = {};
  Index least = 0;  ///< of a whole number

  /// "calibration-folds", in TOML files and grids: the flag without its dashes; for -C "C".
  [[nodiscard]] std::string key() const;
  /// The default as text; "" if a rule determines it.
  [[nodiscard]] std::string preset() const;
};

/// All settings, in the order of the help.
[[nodiscard]] const std::vector<Field>& fields();

/// \throws ParameterError for a name that is not one of them
[[nodiscard]] const Field& field_named(const std::string& name);
/// Null if no setting has this key.
[[nodiscard]] const Field* field_of_key(const std::string& key);

/// Texts of some settings, by name.
using SettingTexts = std::map<std::string, std::vector<std::string>>;

/// The names of settings in messages.
enum class SettingNames { flags, names };

/// The options with the given settings, and defaults for the others.
/// \throws ParameterError naming the setting
[[nodiscard]] TrainOptions options_of(const SettingTexts& texts,
                                      SettingNames called = SettingNames::flags);

/// Models with these options have the same kernels on the same samples: all settings of that kind
/// agree, defaults of the loss included.
[[nodiscard]] bool share_kernels(const TrainOptions& left, const TrainOptions& right);

}  // namespace kernmix
