// Selects a model automatically, says what to expect of it, and writes model and report.
// usage: automatic TRAIN.csv MODEL.kmx REPORT.html
#include <cstdio>
#include <fstream>
#include <kernmix/documents.hpp>
#include <kernmix/kernmix.hpp>

int main(int count, char** files) {
  if (count != 4) return 2;
  kernmix::Dataset data;
  data.table =
      kernmix::read_table({files[1]}, {.label_column = "diagnosis", .id_column = "sample"});
  data.views =
      kernmix::resolve_views({"mean=mean_*", "error=error_*", "worst=worst_*"}, data.table);

  kernmix::Context context;
  context.threads = 2;
  kernmix::AutoOptions options;
  options.train.positive = "malignant";
  options.folds = 3;
  const kernmix::AutoResult found = kernmix::auto_train(data, options, context);
  for (const std::string& sentence : found.answer) std::printf("%s\n", sentence.c_str());
  std::printf("Chosen: %s\n", found.winner().name.c_str());

  kernmix::save_model(found.trained.model, files[2]);
  const auto documents = kernmix::auto_documents(found, data, context, {.model_file = files[2]});
  std::ofstream(files[3]) << kernmix::report_page(documents);
}
