#include "support_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "layout.hpp"

namespace kernmix::cli {

using namespace documents;

namespace {

constexpr std::size_t kLineWidth = 96;

std::vector<std::string> distinct(const std::vector<Support>& cells, std::string Support::*field) {
  std::vector<std::string> names;
  for (const Support& cell : cells) {
    if (std::find(names.begin(), names.end(), cell.*field) == names.end()) {
      names.push_back(cell.*field);
    }
  }
  return names;
}

/// "it needs a smooth dual" of "solver s does not take loss l: it needs a smooth dual".
std::string reason_alone(const std::string& reason) {
  const std::size_t colon = reason.find(": ");
  return colon == std::string::npos ? reason : reason.substr(colon + 2);
}

/// "the loss has no targets" of "svdd:nu=0.5 has no targets": examples would keep equal reasons
/// apart. Names that are words, such as sum, count at the start and after "of" or "and" alone.
std::string in_general(std::string reason, const std::string& syntax, const std::string& general) {
  const std::string name = syntax.substr(0, syntax.find(':'));
  for (const std::string before : {"", "of ", "and "}) {
    const std::size_t at = before.empty() ? 0 : reason.find(before + name);
    if (at == std::string::npos || reason.compare(at, before.size() + name.size(), before + name)) {
      continue;
    }
    const std::size_t end = at + before.size() + name.size();
    if (end < reason.size() && reason[end] != ':' && reason[end] != ' ') continue;
    const std::size_t after = std::min(reason.find(' ', end), reason.size());
    reason.replace(at, after - at, before + general);
  }
  return reason;
}

class SupportTable {
 public:
  explicit SupportTable(const std::vector<Support>& cells)
      : losses_(distinct(cells, &Support::loss)),
        regularizers_(distinct(cells, &Support::regularizer)),
        solvers_(distinct(cells, &Support::solver)) {
    for (const Support& cell : cells) {
      cells_[{cell.loss, cell.regularizer, cell.solver}] = &cell;
    }
  }

  [[nodiscard]] std::string legend() const {
    std::string text;
    for (std::size_t s = 0; s < solvers_.size(); ++s) {
      text += fmt::format("{}{} {}", s > 0 ? ", " : "", s + 1, solvers_[s]);
    }
    return wrapped(text, kLineWidth) + "\n";
  }

  [[nodiscard]] std::string matrix() const {
    std::vector<Row> rows = {{"regularizer"}};
    for (std::size_t s = 0; s < solvers_.size(); ++s) rows[0].push_back(fmt::format("{}", s + 1));
    for (const std::string& regularizer : regularizers_) {
      Row row = {regularizer};
      for (const std::string& solver : solvers_) {
        row.emplace_back(some_loss(regularizer, solver) ? "yes" : "-");
      }
      rows.push_back(std::move(row));
    }
    return aligned(rows, true);
  }

  /// Empty if all losses agree.
  [[nodiscard]] std::string exceptions() const {
    std::vector<Exception> found;
    const auto add = [&](const std::string& what, const std::string& but, const std::string& why,
                         const std::string& loss) {
      for (Exception& known : found) {
        if (std::tie(known.what, known.but, known.why) == std::tie(what, but, why)) {
          return known.losses.push_back(loss);
        }
      }
      found.push_back({what, but, why, {loss}});
    };
    for (const std::string& loss : losses_) {
      for (const std::string& regularizer : regularizers_) {
        const Support* const cell = refused_by_all(loss, regularizer);
        if (cell == nullptr) continue;
        const std::string why = in_general(reason_alone(cell->reason), loss, "the loss");
        add(regularizer, "", in_general(why, regularizer, "the regularizer"), loss);
      }
      for (const std::string& solver : solvers_) {
        const auto [cell, taken] = refused_by(loss, solver);
        if (cell == nullptr) continue;
        const std::string but =
            taken.empty() ? "" : fmt::format(" (but with {})", listed(taken, taken.size()));
        add(solver, but, reason_alone(cell->reason), loss);
      }
    }
    std::string text;
    for (const Exception& one : joined(std::move(found))) {
      text += wrapped(fmt::format("{}{}: not {}: {}", one.what, one.but,
                                  listed(one.losses, one.losses.size()), one.why),
                      kLineWidth) +
              "\n";
    }
    return text;
  }

 private:
  /// An unsupported combination with its exceptions among the regularizers, the reason, and the
  /// losses.
  struct Exception {
    std::string what;
    std::string but;
    std::string why;
    std::vector<std::string> losses;
  };

  /// Merges exceptions that differ only in the unsupported combination.
  [[nodiscard]] static std::vector<Exception> joined(std::vector<Exception> all) {
    std::vector<Exception> found;
    for (Exception& one : all) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const Exception& known) {
        return std::tie(known.but, known.why, known.losses) ==
               std::tie(one.but, one.why, one.losses);
      });
      if (same == found.end()) {
        found.push_back(std::move(one));
      } else {
        same->what += ", " + one.what;
      }
    }
    return found;
  }

  [[nodiscard]] const Support& at(const std::string& loss, const std::string& regularizer,
                                  const std::string& solver) const {
    return *cells_.at({loss, regularizer, solver});
  }

  [[nodiscard]] bool some_loss(const std::string& regularizer, const std::string& solver) const {
    return std::any_of(losses_.begin(), losses_.end(), [&](const std::string& loss) {
      return at(loss, regularizer, solver).supported;
    });
  }

  /// A cell of a pair that no solver supports, although solvers support the regularizer; otherwise
  /// null.
  [[nodiscard]] const Support* refused_by_all(const std::string& loss,
                                              const std::string& regularizer) const {
    const Support* refused = nullptr;
    for (const std::string& solver : solvers_) {
      if (!some_loss(regularizer, solver)) continue;
      const Support& cell = at(loss, regularizer, solver);
      if (cell.supported) return nullptr;
      refused = &cell;
    }
    return refused;
  }

  /// A cell in which the solver does not support the loss for reasons other than the pair, and the
  /// regularizers that it supports nevertheless.
  [[nodiscard]] std::pair<const Support*, std::vector<std::string>> refused_by(
      const std::string& loss, const std::string& solver) const {
    const Support* refused = nullptr;
    std::vector<std::string> taken;
    for (const std::string& regularizer : regularizers_) {
      if (!some_loss(regularizer, solver) || refused_by_all(loss, regularizer) != nullptr) continue;
      const Support& cell = at(loss, regularizer, solver);
      if (cell.supported) {
        taken.push_back(regularizer);
      } else {
        refused = &cell;
      }
    }
    return {refused, std::move(taken)};
  }

  std::vector<std::string> losses_;
  std::vector<std::string> regularizers_;
  std::vector<std::string> solvers_;
  std::map<std::tuple<std::string, std::string, std::string>, const Support*> cells_;
};

}  // namespace

std::string support_text(const std::vector<Support>& cells) {
  const SupportTable table(cells);
  const std::string exceptions = table.exceptions();
  return table.legend() + "\n" + table.matrix() +
         (exceptions.empty() ? "\nEach yes holds for every loss.\n"
                             : "\nEach yes holds for every loss, except:\n\n" + exceptions);
}

}  // namespace kernmix::cli
