#include "fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/samples.hpp"
#include "command_files.hpp"
#include "compare/text_hash.hpp"
#include "kernmix/version.hpp"
#include "model/file/fingerprint.hpp"

namespace kernmix::cli {
namespace {

/// Options without effect on numbers, and options that name files, whose content is hashed instead.
constexpr std::array kWithoutEffect = {
    "help",      "output", "json",    "csv",      "latex",  "figure",     "journal", "part",
    "gather",    "quiet",  "verbose", "threads",  "memory", "time-limit", "config",  "EXPERIMENT",
    "all-cells", "DATA",   "gram",    "distance", "sets",   "split-file"};

bool has_effect(const CLI::Option& option) {
  const auto is_listed = [](const std::string& name) {
    return std::ranges::find(kWithoutEffect, std::string_view(name)) != kWithoutEffect.end();
  };
  return std::ranges::none_of(option.get_lnames(), is_listed) && !is_listed(option.get_name());
}

}  // namespace

void ContentHash::add_bytes(const void* first, std::size_t bytes) {
  value_ = text_hash({static_cast<const char*>(first), bytes}, value_ + bytes);
}

void ContentHash::add(std::string_view text) { add_bytes(text.data(), text.size()); }

void ContentHash::add(ConstSpan numbers) { add_bytes(numbers.data(), numbers.size_bytes()); }

void ContentHash::add(const std::vector<Index>& numbers) {
  add_bytes(numbers.data(), numbers.size() * sizeof(Index));
}

void ContentHash::add(const std::vector<Fold>& folds) {
  for (const Fold& fold : folds) {
    add(fold.train);
    add(fold.test);
  }
  add("folds");
}

void ContentHash::add_texts(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) add(std::string_view(text));
  add(std::vector<Index>{length(texts)});
}

void ContentHash::add_table(const Table& table, const Context& context) {
  add_texts(table.columns);
  for (const Categories& one : table.categories) {
    add(std::string_view(one.column));
    add_texts(one.values);
  }
  for (const Indicators& one : table.indicators) {
    add(std::string_view(one.column));
    add_texts(one.values);
    add_texts(one.views);
  }
  if (const SparseMatrix* const sparse = table.sparse.get()) {
    add(sparse->starts);
    add(ConstSpan(sparse->values));
    add_bytes(sparse->columns.data(), sparse->columns.size() * sizeof(std::int32_t));
  }
  const ConstMatrix numbers = table.numbers();
  for (Index i = 0; i < numbers.rows; ++i) {
    stop_if_asked(context);
    add(numbers.row(i));
  }
  add_texts(table.labels);
  add(std::string_view(table.inlier));
  add_texts(table.multi_labels.names);
  add_bytes(table.multi_labels.values.data(), table.multi_labels.values.size());
  add_texts(table.targets.names);
  add(ConstSpan(table.targets.values.values));
  add_texts(table.ids);
  for (const FilePart& part : table.parts) {
    add(std::string_view(part.name));
    add(std::vector<Index>{part.first, part.columns, part.sparse ? 1 : 0});
  }
}

void ContentHash::add(const Dataset& data, const Context& context) {
  add_table(data.table, context);
  for (const View& view : data.views) {
    add(std::string_view(view.name));
    add_texts(view.columns);
  }
  for (const MatrixView& view : data.matrices) {
    add(std::string_view(view.name));
    add(std::vector<Index>{static_cast<Index>(view.kind), view.matrix.rows(), view.matrix.cols()});
    const std::uint64_t digest = facts_of(view.matrix, context).digest;
    add_bytes(&digest, sizeof(digest));
  }
}

std::uint64_t run_fingerprint(const CLI::App& command, const ContentHash& content) {
  std::string all =
      fmt::format("{} {} {:016x}\n", KERNMIX_VERSION, command.get_name(), content.value());
  for (const CLI::Option* option : command.get_options()) {
    if (!has_effect(*option)) continue;
    for (const std::string& value : given_or_preset(*option)) {
      all += fmt::format("{} {} {}\n", option->get_name(), value.size(), value);
    }
  }
  return text_hash(all);
}

}  // namespace kernmix::cli
