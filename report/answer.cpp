#include <fmt/format.h>

#include <algorithm>

#include "tables.hpp"
#include "text.hpp"

namespace kernmix::report {
namespace {

std::string of_hundred(double share) { return fmt::format("{:.0f}", 100.0 * share); }

/// The sentence for an evaluation on held-out samples: "right for 75 of 100 samples of test.csv;
/// always saying 'no' is right for 68".
std::string sentence_of(const Assessment& assessment) {
  const Measure* const accuracy = assessment.find("accuracy");
  if (accuracy == nullptr || !accuracy->value || assessment.confusion.empty()) return "";
  double all = 0.0;
  double most = 0.0;
  std::string name;
  for (std::size_t k = 0; k < assessment.confusion.size(); ++k) {
    double own = 0.0;
    for (const double count : assessment.confusion[k]) own += count;
    all += own;
    if (own > most) name = assessment.names[k];
    most = std::max(most, own);
  }
  if (all <= 0.0) return "";
  const std::string interval =
      accuracy->low && accuracy->high
          ? fmt::format(" (95 % interval {} to {})", of_hundred(*accuracy->low),
                        of_hundred(*accuracy->high))
          : std::string();
  return fmt::format(
      "Right for {} of 100 samples{}; always saying '{}' is right for {} ({} samples of {}).",
      of_hundred(*accuracy->value), interval, name, of_hundred(most / all), number(all),
      assessment.data);
}

std::string paragraphs(const Run& run, bool several) {
  std::string html;
  const std::string name = several ? "<strong>" + escape(run.name) + "</strong>: " : "";
  for (const Assessment& assessment : run.assessments) {
    for (const std::string& sentence : assessment.answer) {
      html += "<p>" + name + escape(sentence) + "</p>\n";
    }
    const std::string own = assessment.answer.empty() ? sentence_of(assessment) : "";
    if (!own.empty()) html += "<p>" + name + escape(own) + "</p>\n";
  }
  return html;
}

}  // namespace

std::string answer(const std::vector<Run>& runs) {
  std::string html;
  for (const Run& run : runs) html += paragraphs(run, runs.size() > 1);
  if (html.empty()) return "";
  return "<section class=\"answer\">\n<h2>The answer</h2>\n" + html + "</section>\n";
}

}  // namespace kernmix::report
