#pragma once
/// \file
/// Views of a model that new samples lack.

#include <string>
#include <vector>

#include "kernmix/train.hpp"
#include "options.hpp"

namespace kernmix::cli {

/// Writes to standard error how many samples lack each view that the model reads, and a warning if
/// none has it: perhaps its file was forgotten. Nothing with --quiet.
/// \param data  samples that the model has predicted
void say_absent_views(const Model& model, const Dataset& data, const CommonArguments& common);

/// The same for blocks of a table and a model whose training samples had all views.
class AbsentViews {
 public:
  /// \param model  must outlive it
  explicit AbsentViews(const Model& model);
  void add(const Table& block);
  void say(const CommonArguments& common) const;

 private:
  struct View {
    kernmix::View view;
    Index lacking = 0;
    std::string example = {};
  };
  std::vector<View> views_;
  Index samples_ = 0;
};

}  // namespace kernmix::cli
