// Trains on one file, saves the model, loads it again and predicts another file.
// usage: quickstart TRAIN.csv TEST.csv MODEL.kmx
#include <cstdio>
#include <kernmix/kernmix.hpp>

int main(int count, char** files) {
  if (count != 4) return 2;
  kernmix::Dataset data;
  data.table =
      kernmix::read_table({files[1]}, {.label_column = "diagnosis", .id_column = "sample"});
  data.views =
      kernmix::resolve_views({"mean=mean_*", "error=error_*", "worst=worst_*"}, data.table);

  kernmix::TrainOptions options;
  options.kernels = {"rbf(gamma=2^-6..2^0) on mean|error|worst", "poly(degree=1..2) on all, each"};
  const kernmix::TrainResult result = kernmix::train(data, options, {});
  kernmix::save_model(result.model, files[3]);

  data.table =
      kernmix::read_table({files[2]}, {.label_column = "diagnosis", .id_column = "sample"});
  const kernmix::Model model = kernmix::load_model(files[3]);
  const auto prediction = kernmix::predict(model, data, {});
  int right = 0;
  for (std::size_t i = 0; i < prediction.winner.size(); ++i) {
    right += model.names[kernmix::to_size(prediction.winner[i])] == data.table.labels[i] ? 1 : 0;
  }
  std::printf("relative gap %.1e, %d of %zu predicted right\n",
              result.model.certificate.relative_gap(), right, prediction.winner.size());
}
