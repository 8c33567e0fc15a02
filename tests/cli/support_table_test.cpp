#include "support_table.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

namespace kernmix::cli {
namespace {

std::vector<Support> all_cells(const std::vector<std::string>& losses,
                               const std::vector<std::string>& regularizers,
                               const std::vector<std::string>& solvers,
                               const std::function<std::string(const Support&)>& reason) {
  std::vector<Support> cells;
  for (const std::string& loss : losses) {
    for (const std::string& regularizer : regularizers) {
      for (const std::string& solver : solvers) {
        Support cell{loss, regularizer, solver, true, ""};
        cell.reason = reason(cell);
        cell.supported = cell.reason.empty();
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

TEST(SupportTable, IsOneMatrixWhereAllLossesAgree) {
  const auto cells = all_cells(
      {"hinge", "squared"}, {"l1", "lp:p=P"}, {"newton", "level"}, [](const Support& cell) {
        const bool fits = cell.solver == "newton" || cell.regularizer == "l1";
        return fits ? "" : "solver level does not take lp: it needs l1";
      });
  EXPECT_EQ(support_text(cells),
            "1 newton, 2 level\n"
            "\n"
            "regularizer  1    2\n"
            "-----------  ---  ---\n"
            "l1           yes  yes\n"
            "lp:p=P       yes  -\n"
            "\n"
            "Each yes holds for every loss.\n");
}

TEST(SupportTable, GathersExceptionsByReason) {
  const auto cells = all_cells(
      {"hinge", "pinball", "squared", "nu-svc"}, {"l1", "sum", "ball"}, {"newton", "dal"},
      [](const Support& cell) -> std::string {
        if (cell.loss == "nu-svc" && cell.regularizer == "ball") {
          return "nu-svc fixes what ball:r=1 bounds: there is no solution";
        }
        const bool smooth = cell.loss == "squared" || cell.regularizer == "sum";
        if (cell.solver == "dal" && !smooth) {
          return "solver dal does not take loss " + cell.loss + ": it needs a smooth dual";
        }
        return "";
      });
  EXPECT_EQ(support_text(cells),
            "1 newton, 2 dal\n"
            "\n"
            "regularizer  1    2\n"
            "-----------  ---  ---\n"
            "l1           yes  yes\n"
            "sum          yes  yes\n"
            "ball         yes  yes\n"
            "\n"
            "Each yes holds for every loss, except:\n"
            "\n"
            "dal (but with sum): not hinge, pinball, nu-svc: it needs a smooth dual\n"
            "ball: not nu-svc: there is no solution\n");
}

TEST(SupportTable, GathersReasonsThatDifferInTheirExamples) {
  const auto cells = all_cells({"hinge", "svdd:nu=NU"}, {"l1", "sum", "lp:p=P"}, {"newton"},
                               [](const Support& cell) -> std::string {
                                 if (cell.loss == "hinge" || cell.regularizer == "l1") return "";
                                 return "svdd:nu=0.5 needs the sum 1, and those of " +
                                        std::string(cell.regularizer == "sum" ? "sum" : "lp:p=2") +
                                        " differ";
                               });
  const std::string text = support_text(cells);
  EXPECT_TRUE(
      text.ends_with("\nsum, lp:p=P: not svdd:nu=NU: the loss needs the sum 1, and those of the "
                     "regularizer differ\n"))
      << text;
}

TEST(SupportTable, StaysReadableWhenLarge) {
  std::vector<std::string> losses;
  std::vector<std::string> regularizers;
  std::vector<std::string> solvers;
  for (int k = 0; k < 11; ++k) losses.push_back("some-loss-" + std::to_string(k));
  for (int k = 0; k < 20; ++k)
    regularizers.push_back("regularizer:p=P,theta=T" + std::to_string(k));
  for (int k = 0; k < 16; ++k) solvers.push_back("projected-gradient-" + std::to_string(k));
  const std::string text =
      support_text(all_cells(losses, regularizers, solvers, [](const Support& cell) {
        const bool refused = cell.solver.ends_with("3") && cell.loss.ends_with("0");
        return refused ? "solver " + cell.solver + " does not take it: it needs more" : "";
      }));
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 110U) << line;
  EXPECT_LT(count, 45);
}

}  // namespace
}  // namespace kernmix::cli
