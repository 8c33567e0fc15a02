/// \file
/// The ways in that are not one CSV file with columns: joined files, Gram matrices, weights.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "data/written_arrays.hpp"
#include "end_to_end/tool.hpp"
#include "kernmix/data.hpp"

namespace kernmix::test {
namespace {

constexpr int kSamples = 40;

/// Two columns that tell two classes apart, not quite.
double value(int i, int column) {
  return std::sin(1.7 * i + column) + (i % 2 == 0 ? 0.8 : -0.8) * (column + 1);
}
std::string label(int i) { return i % 2 == 0 ? "in" : "out"; }
std::string id(int i) { return "s" + std::to_string(i); }

Json train(const Folder& folder, const std::string& line) {
  const ToolRun run = run_tool(folder, words("train " + line + " --quiet --json run.json"));
  EXPECT_EQ(run.code, 0) << run.err;
  return Json::parse(read_text(folder.file("run.json")));
}

/// features.csv and the Gram matrix of the linear kernel on the same, gram.csv.
void write_both(const Folder& folder) {
  std::string features = "y,a,b\n";
  std::string gram;
  for (int i = 0; i < kSamples; ++i) {
    features += label(i);
    for (int c = 0; c < 2; ++c) features += "," + Json(value(i, c)).dump();
    features += "\n";
    for (int j = 0; j < kSamples; ++j) {
      const double k = value(i, 0) * value(j, 0) + value(i, 1) * value(j, 1);
      gram += (j > 0 ? "," : "") + Json(k).dump();
    }
    gram += "\n";
  }
  folder.write("features.csv", features);
  folder.write("gram.csv", gram);
}

TEST(Inputs, AFileOfArraysNamesWhatItHolds) {
  const Folder folder;
  std::vector<double> stack;
  std::vector<double> labels;
  for (int i = 0; i < kSamples; ++i) {
    labels.push_back(i % 2 == 0 ? 1.0 : -1.0);
    for (int j = 0; j < kSamples; ++j) {
      for (int m = 0; m < 2; ++m) stack.push_back(value(i, m) * value(j, m));
    }
  }
  folder.write("kh.npz", zip_of({{"KH.npy", npy_bytes("<f8", "(40, 40, 2)", bytes_of(stack))},
                                 {"Y.npy", npy_bytes("<f8", "(40,)", bytes_of(labels))}}));
  const ToolRun alone = run_tool(folder, words("train kh.npz --label Y -o m.kmx"));
  EXPECT_EQ(alone.code, 3);
  EXPECT_NE(alone.err.find("with --gram kh.npz:KH\n"), std::string::npos) << alone.err;
  train(folder, "kh.npz --label Y --gram kh.npz:KH -o m.kmx");
}

TEST(Inputs, AGramMatrixGivesWhatItsFeaturesGive) {
  const Folder folder;
  write_both(folder);
  const std::string exact = " --tolerance 1e-8 --normalize trace -o ";
  const Json features =
      train(folder, "features.csv --label y --scale none --kernel 'linear on *'" + exact + "f.kmx");
  const Json gram = train(
      folder, "features.csv --label y --ignore a --ignore b --gram K=gram.csv" + exact + "g.kmx");
  EXPECT_EQ(gram.at("weights").at(0).at("view"), "K");
  EXPECT_NEAR(features.at("primal").get<double>(), gram.at("primal").get<double>(),
              1e-6 * features.at("primal").get<double>());

  const ToolRun left = run_tool(folder, words("predict f.kmx features.csv --json f.json"));
  const ToolRun right = run_tool(folder, words("predict g.kmx --gram K=gram.csv --json g.json"));
  ASSERT_EQ(left.code, 0) << left.err;
  ASSERT_EQ(right.code, 0) << right.err;
  const Json of_features = Json::parse(read_text(folder.file("f.json"))).at("predictions");
  const Json of_gram = Json::parse(read_text(folder.file("g.json"))).at("predictions");
  ASSERT_EQ(of_features.size(), of_gram.size());
  for (std::size_t i = 0; i < of_features.size(); ++i) {
    EXPECT_NEAR(of_features[i].at("decision").get<double>(),
                of_gram[i].at("decision").get<double>(), 1e-2);
  }
  const ToolRun verify = run_tool(
      folder, words("verify g.kmx features.csv --label y --ignore a --ignore b --gram K=gram.csv"));
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
}

TEST(Inputs, AStackOfGramMatricesIsOneKernelEach) {
  const Folder folder;
  std::string labels = "y\n";
  Vector stack;
  for (int i = 0; i < kSamples; ++i) labels += label(i) + "\n";
  for (int m = 0; m < 2; ++m) {
    for (int i = 0; i < kSamples; ++i) {
      for (int j = 0; j < kSamples; ++j) stack.push_back(value(i, m) * value(j, m));
    }
  }
  folder.write("labels.csv", labels);
  write_npy(folder.file("K.npy"), {2, kSamples, kSamples}, stack);
  const Json run = train(folder, "labels.csv --label y --gram K.npy -o m.kmx");
  ASSERT_EQ(run.at("weights").size(), 2U);
  EXPECT_EQ(run.at("weights").at(1).at("view"), "K[1]");
  const ToolRun evaluate =
      run_tool(folder, words("evaluate m.kmx labels.csv --label y --gram K.npy"));
  EXPECT_EQ(evaluate.code, 0) << evaluate.err;
  const ToolRun inspect = run_tool(folder, {"inspect", "K.npy"});
  EXPECT_NE(inspect.out.find("2 NumPy matrices"), std::string::npos) << inspect.out << inspect.err;
}

TEST(Inputs, FilesAreJoinedOnIdsAndTheUnmatchedAreCounted) {
  const Folder folder;
  std::string first = "id,y,a\n";
  std::string second = "id,b\n";
  for (int i = 0; i < kSamples; ++i) {
    first += id(i) + "," + label(i) + "," + Json(value(i, 0)).dump() + "\n";
  }
  for (int i = kSamples - 3; i >= 0; --i) second += id(i) + "," + Json(value(i, 1)).dump() + "\n";
  folder.write("first.csv", first);
  folder.write("second.csv", second);
  const std::string line = "first.csv second.csv --id id --label y -o m.kmx";
  const Json kept = train(folder, line);  // two samples lack the second view
  EXPECT_EQ(kept.at("n_samples"), kSamples);
  EXPECT_EQ(kept.at("data").at("unmatched"), 0);
  EXPECT_EQ(kept.at("data").at("views").at(1).at("samples"), kSamples - 2);
  const ToolRun all = run_tool(folder, words("predict m.kmx second.csv first.csv --id id"));
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.out.find("\ns39,"), std::string::npos) << all.out;
  const Json run = train(folder, line + " --absent drop");
  EXPECT_EQ(run.at("n_samples"), kSamples - 2);
  EXPECT_EQ(run.at("data").at("unmatched"), 2);
  EXPECT_EQ(run.at("data").at("views").size(), 2U);
  const ToolRun predict = run_tool(folder, words("predict m.kmx second.csv first.csv --id id"));
  EXPECT_EQ(predict.code, 0) << predict.err;
  EXPECT_NE(predict.out.find("\ns39,"), std::string::npos) << "a sample that lacks a view";
  EXPECT_NE(predict.err.find("lack view 'second'"), std::string::npos) << predict.err;
}

TEST(Inputs, BalancedClassWeightsAreTheirNumbers) {
  const Folder folder;
  std::string text = "y,a\n";
  for (int i = 0; i < kSamples; ++i) {
    text += std::string(i % 4 == 0 ? "1" : "-1") + "," + Json(value(i, 0)).dump() + "\n";
  }
  folder.write("d.csv", text);
  const Json named = train(folder, "d.csv --label y -o a.kmx --class-weight balanced");
  const Json given = train(
      folder, "d.csv --label y -o b.kmx --class-weight 1=2 --class-weight -1=0.66666666666666666");
  EXPECT_EQ(named.at("settings").at("class_weights").at(1), 2.0);
  EXPECT_NEAR(named.at("primal").get<double>(), given.at("primal").get<double>(), 1e-9);
}

TEST(Inputs, SampleWeightsAreNoFeature) {
  const Folder folder;
  std::string text = "y,a,w\n";
  for (int i = 0; i < kSamples; ++i) {
    text += label(i) + "," + Json(value(i, 0)).dump() + "," + (i < 20 ? "1" : "2") + "\n";
  }
  folder.write("d.csv", text);
  const Json run = train(folder, "d.csv --label y --sample-weight w -o m.kmx");
  EXPECT_EQ(run.at("data").at("n_columns"), 1);
  const ToolRun verify = run_tool(folder, words("verify m.kmx d.csv --label y"));
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
}

TEST(Inputs, ArffGivesWhatCsvGives) {
  const Folder folder;
  write_both(folder);
  const std::string csv = read_text(folder.file("features.csv"));
  folder.write("features.arff",
               "@relation d\n@attribute y {in, out}\n@attribute a real\n"
               "@attribute b real\n@data\n" +
                   csv.substr(csv.find('\n') + 1));
  const Json from_csv = train(folder, "features.csv --label y -o c.kmx");
  const Json from_arff = train(folder, "features.arff --label y -o a.kmx");
  EXPECT_EQ(from_arff.at("primal"), from_csv.at("primal"));
  EXPECT_EQ(read_text(folder.file("a.kmx")), read_text(folder.file("c.kmx")));
  const ToolRun evaluate = run_tool(folder, words("evaluate c.kmx features.arff --label y"));
  EXPECT_EQ(evaluate.code, 0) << evaluate.err;
}

TEST(Inputs, InspectCountsTheLabelsThatAFileDeclares) {
  const Folder folder;
  folder.write("m.arff",
               "@relation 'm: -C 2'\n@attribute p {0,1}\n@attribute q {0,1}\n@attribute a real\n"
               "@data\n1,1,5\n0,1,6\n");
  const ToolRun inspect = run_tool(folder, words("inspect m.arff"));
  EXPECT_EQ(inspect.code, 0) << inspect.err;
  EXPECT_NE(inspect.out.find("any of 2: 1 x p, 2 x q"), std::string::npos) << inspect.out;
}

/// In every command that reads data.
TEST(Inputs, FilesWithoutAHeaderGiveWhatNamedColumnsGive) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < kSamples; ++i) {
    text += Json(value(i, 0)).dump() + "," + Json(value(i, 1)).dump() + "," + label(i) + "\n";
  }
  folder.write("named.csv", "a,b,y\n" + text);
  folder.write("plain.csv", text);
  const Json named = train(folder, "named.csv --label y -o named.kmx");
  const Json plain = train(folder, "plain.csv --no-header --label 3 -o plain.kmx");
  EXPECT_EQ(plain["primal"], named["primal"]);
  for (const char* command : {"predict", "evaluate", "verify"}) {
    const ToolRun run = run_tool(
        folder, words(std::string(command) + " plain.kmx plain.csv --no-header --label 3 --quiet"));
    EXPECT_EQ(run.code, 0) << command << ": " << run.err;
  }
  folder.write("one.csv", "a,y\n1,p\n2,NA\n3,p\n");
  const std::string one = tool(folder, "inspect one.csv --label y").out;
  EXPECT_NE(one.find("2 x p; 1 missing (classification needs two classes)"), std::string::npos)
      << one;
  const ToolRun seen = run_tool(folder, words("inspect plain.csv --no-header --label 3 --json -"));
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(Json::parse(seen.out)["n_samples"], kSamples);
}

TEST(Inputs, LibsvmFilesNeedNoNames) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < kSamples; ++i) {
    text += std::string(i % 2 == 0 ? "+1" : "-1") + " 1:" + Json(value(i, 0)).dump() +
            " 2:" + Json(value(i, 1)).dump() + "\n";
  }
  folder.write("d.libsvm", text);
  (void)train(folder, "d.libsvm -o m.kmx");
  const ToolRun evaluate = run_tool(folder, {"evaluate", "m.kmx", "d.libsvm"});
  EXPECT_EQ(evaluate.code, 0) << evaluate.err;
}

/// Of n samples, M Gaussian kernels; the labels in y.csv, the stack in K.npy.
void write_stack(const Folder& folder, Index n, Index M) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::string labels = "y\n";
  for (Index i = 0; i < n; ++i) labels += i % 2 == 0 ? "p\n" : "n\n";
  folder.write("y.csv", labels);
  Vector K;
  for (Index m = 0; m < M; ++m) {
    Matrix x(n, 6);
    for (double& value : x.values) value = normal(random);
    for (Index i = 0; i < n; ++i) x(i, 0) += i % 2 == 0 ? 0.5 : -0.5;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        double squared = 0.0;
        for (Index c = 0; c < x.cols; ++c) squared += (x(i, c) - x(j, c)) * (x(i, c) - x(j, c));
        K.push_back(std::exp(-squared / 3.0));
      }
    }
  }
  write_npy(folder.file("K.npy"), {M, n, n}, K);
}

/// Compressed, a stack takes a quarter of its file. (Sanitizers take memory of their own.)
TEST(Inputs, AStackOfMatricesMayBeLargerThanMemory) {
  const Folder folder;
  write_stack(folder, 300, 120);  // 86 MB
  const ToolRun run = tool(
      folder, "train y.csv --label y --gram K.npy --memory 48M --threads 2 -o m.kmx --json r.json");
  ASSERT_EQ(run.code, 0) << run.err;
  const auto document = nlohmann::json::parse(read_text(folder.file("r.json")));
  EXPECT_LE(document.at("relative_gap").get<double>(), 1e-3);
  EXPECT_LE(document.at("plan").at("total_bytes").get<double>(), 48.0 * 0x1p20);
#ifndef __SANITIZE_ADDRESS__
#ifndef __SANITIZE_THREAD__
  EXPECT_LE(document.at("peak_memory_bytes").get<double>(), 86e6);
#endif
#endif
  const ToolRun verify = tool(folder, "verify m.kmx y.csv --label y --gram K.npy");
  EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
}

/// A table and matrices in text share the budget, in training and in prediction.
TEST(Inputs, TablesBesideMatricesShareTheMemory) {
  const Folder folder;
  constexpr int n = 200;
  std::string table = "y";
  std::string gram;
  for (int j = 0; j < 2 * n; ++j) table += ",x" + std::to_string(j);
  for (int i = 0; i < n; ++i) {
    table += i % 2 == 0 ? "\na" : "\nb";
    for (int j = 0; j < 2 * n; ++j) table += "," + std::to_string((i * j + i % 2) % 7);
    for (int j = 0; j < n; ++j) gram += std::string(j > 0 ? "," : "") + (i == j ? "2" : "1");
    gram += "\n";
  }
  folder.write("t.csv", table + "\n");
  folder.write("K.csv", gram);
  // The table takes 625 KiB and 156 KiB of text, a matrix 313 KiB and 78 KiB of text.
  const std::string both =
      "t.csv --label y --view x=x* --gram K.csv --gram L=K.csv --kernel linear --threads 1";
  const ToolRun trained = tool(folder, "train " + both + " -o m.kmx -q");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string fits = " --memory 1000K";
  EXPECT_EQ(tool(folder, "inspect t.csv --label y" + fits).code, 0);
  for (const std::string& command :
       {"train " + both + " -o n.kmx",
        std::string("predict m.kmx t.csv --gram K.csv --gram L=K.csv")}) {
    const ToolRun refused = tool(folder, command + fits);
    EXPECT_EQ(refused.code, 4) << command << refused.err;
    EXPECT_NE(refused.err.find("other"), std::string::npos) << refused.err;
  }
}

TEST(Inputs, SamplesThatAFileLacksAreCountedEverywhere) {
  const Folder folder;
  std::string left = "id,y,a\n";
  std::string right = "id,b\n";
  for (int i = 0; i < kSamples; ++i) {
    left += id(i) + "," + label(i) + "," + Json(value(i, 0)).dump() + "\n";
    if (i % 10 != 0) right += id(i) + "," + Json(value(i, 1)).dump() + "\n";
  }
  folder.write("left.csv", left);
  folder.write("right.csv", right);
  folder.write(
      "e.toml",
      "[experiment]\nfolds = 2\nabsent = \"drop\"\n[[data]]\nname = \"d\"\nfiles = [\"left.csv\", "
      "\"right.csv\"]\nlabel = \"y\"\nid = \"id\"\n[[method]]\nname = \"m\"\n"
      "[[method]]\nname = \"n\"\nC = 2\n");
  const std::string data = " left.csv right.csv --label y --id id";
  const std::string drop = data + " --absent drop";
  const std::string said = "4 samples were left out: not in every file";
  for (const std::string& command : {"train" + drop + " -o m.kmx", "cv" + drop + " --folds 2",
                                     "tune" + drop + " --folds 2 --grid C=1 -o t.kmx",
                                     "stability" + drop + " --resamples 4 --null-runs 0",
                                     "auto" + drop + " --folds 2 -o auto"}) {
    const ToolRun run = tool(folder, command + " --json run.json");
    EXPECT_EQ(run.code, 0) << command << run.err;
    EXPECT_NE(run.err.find(said), std::string::npos) << command << run.err;
    const bool repeated = run.out.find(said) != std::string::npos;
    EXPECT_FALSE(repeated && command.starts_with("train")) << "twice";
    const Json document = Json::parse(read_text(folder.file("run.json")));
    const Json& place = document.contains("unmatched") ? document : document.at("data");
    EXPECT_EQ(place.at("unmatched"), 4) << command;
  }
  for (const std::string& command :
       {"evaluate m.kmx" + data, "predict m.kmx" + data + " -o p.csv"}) {
    const ToolRun run = tool(folder, command);
    EXPECT_EQ(run.code, 0) << command << run.err;
    EXPECT_NE(run.err.find("4 of 40 samples lack view 'right'"), std::string::npos) << run.err;
  }
  EXPECT_EQ(tool(folder, "train" + drop + " -o m.kmx -q --json run.json").err, "");
  EXPECT_EQ(tool(folder, "report run.json -o r.html").code, 0);
  EXPECT_NE(read_text(folder.file("r.html")).find("36 samples (4 left out: not in every file)"),
            std::string::npos);
  const ToolRun trained = tool(folder, "train" + drop + " -o m.kmx");
  EXPECT_NE(trained.err.find(".csv lacks\n"), std::string::npos) << trained.err;
  const ToolRun compared = tool(folder, "compare e.toml --json c.json");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.err.find(said), std::string::npos);
  EXPECT_EQ(Json::parse(read_text(folder.file("c.json"))).at("read").at("d").at("unmatched"), 4);
}

/// Inliers around the origin and a few samples far away.
std::string novelties(const std::string& inlier, const std::string& outlier) {
  std::string text = "y,a,b\n";
  for (int i = 0; i < kSamples; ++i) {
    const bool out = i % 4 == 0;
    text += (out ? outlier : inlier) + "," + Json(std::sin(2.3 * i) + (out ? 5.0 : 0.0)).dump() +
            "," + Json(std::cos(1.1 * i)).dump() + "\n";
  }
  return text;
}

TEST(Inputs, InliersAreTheSameWhateverTheLabelsAreCalled) {
  const Folder folder;
  const std::string options = " --loss one-class:nu=0.2 --label y --kernel 'rbf(gamma=0.3)'";
  const auto auc = [&](const std::string& command, const std::string& more, bool said) {
    const ToolRun run = run_tool(folder, words(command + " d.csv" + options + more + " --json j"));
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err.find("is taken for the inliers") != std::string::npos, said) << run.err;
    const Json document = Json::parse(read_text(folder.file("j")));
    EXPECT_EQ(document.at("labels").at("inlier").get<std::string>().substr(0, 2), "in");
    if (command == "tune") return document.at("candidates").at(0).at("mean").get<double>();
    for (const Json& metric : document.at("models").at(0).at("metrics")) {
      if (metric.at("name") == "auc") return metric.at("mean").get<double>();
    }
    return 0.0;
  };
  struct Case {
    std::string inlier, outlier, more;
    bool said;
  };
  std::vector<double> found;
  for (const Case& one : {Case{"inlier", "outlier", "", false}, Case{"inner", "Outlier", "", false},
                          Case{"in", "zz", "", true}, Case{"in", "zz", " --inlier in", false},
                          Case{"in", "Anomaly", "", false}}) {
    folder.write("d.csv", novelties(one.inlier, one.outlier));
    found.push_back(auc("cv", " --folds 3 --scale none" + one.more, one.said));
    EXPECT_EQ(
        auc("tune", " --folds 3 --grid scale=none -o t.kmx --scale none" + one.more, one.said),
        found.back());
  }
  for (const double value : found) EXPECT_EQ(value, found.front());
  EXPECT_GT(found.front(), 0.5);
  const ToolRun refused = tool(folder, "cv d.csv --label y --inlier in");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--inlier: the loss hinge learns from targets"), std::string::npos);
}

TEST(Inputs, WhatIsGivenIsCalledByItsName) {
  const Folder folder;
  std::string distances;
  std::string similarities;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const char* end = j < 5 ? "," : "\n";
      distances += std::to_string(std::abs(i - j)) + end;
      similarities += std::to_string(6 - std::abs(i - j)) + end;
    }
  }
  folder.write("d.csv", distances);
  folder.write("k.csv", similarities);
  folder.write("y.csv", "y\na\nb\na\nb\na\nb\n");
  folder.write("zero.svm", "1 0:0.5 1:1.5\n-1 1:1.5 2:1\n");
  folder.write("pre.svm", "1 0:1 1:1 2:0.5\n-1 0:2 1:0.5 2:1\n");
  folder.write("qid.svm", "1 qid:1 1:1.5\n-1 qid:1 2:1\n");
  folder.write("K5.mat", "MATLAB 5.0 MAT-file" + std::string(120, '\0'));
  folder.write("K73.mat", std::string("\x89HDF\r\n\x1a\n\0\0", 10));
  folder.write("t.parquet", "PAR1aaaaPAR1");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"y.csv --label y --gram d.csv", "give distances with --distance"},
      {"y.csv --label y --distance k.csv --kernel 'rbf(gamma=1)'", "--gram instead of --distance"},
      {"zero.svm", "if the file counts from 0"},
      {"pre.svm", "a precomputed kernel in LIBSVM's form"},
      {"qid.svm", "does not learn rankings"},
      {"y.csv --label y --gram K5.mat", "is a damaged or truncated MATLAB file"},
      {"K5.mat", "is a damaged or truncated MATLAB file"},
      {"K73.mat", "HDF5"},
      {"t.parquet --label y", "is a Parquet file"}};
  for (const auto& [line, fragment] : cases) {
    const ToolRun run = tool(folder, "train " + line + " -o m.kmx");
    EXPECT_EQ(run.code, 3) << line << run.err;
    EXPECT_NE(run.err.find(fragment), std::string::npos) << line << run.err;
  }
}

TEST(Inputs, NamesOfTheFieldAreUnderstood) {
  const Folder folder;
  folder.write("f.csv", "a,b,y\n0,1,n\n1,1,p\n1,0,p\n0,1,n\n0,0,n\n1,1,p\n");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"--kernel gaussian", "'rbf'"},
      {"--kernel polynomial", "'poly'"},
      {"--kernel matern32", "'matern(nu=1.5)'"},
      {"--kernel RBF", "'rbf'"},
      {"--kernel histogram_intersection", "'intersection'"},
      {"--regularizer L1", "'l1'"},
      {"--regularizer elasticnet", "'elastic-net'"},
      {"--regularizer L2", "'lp:p=2'"},
      {"--loss svm", "'hinge'"},
      {"--loss logloss", "'logistic'"},
      {"--loss krr", "'squared'"},
      {"--regularizer vskl", "'mixed-norm:q=inf'"},
      {"--solver SimpleMKL", "'simple'"},
      {"--solver fw", "'frank-wolfe'"},
      {"--solver newtn", "'newton'"}};
  for (const auto& [option, name] : cases) {
    const ToolRun run = tool(folder, "train f.csv --label y -o m.kmx " + option);
    EXPECT_EQ(run.code, 2) << option;
    EXPECT_NE(run.err.find("did you mean " + name + "?"), std::string::npos) << run.err;
  }
  ASSERT_EQ(tool(folder, "train f.csv --label y -q --kernel minmax -o m.kmx").code, 0);
  for (const std::string name : {"tanimoto", "jaccard", "ruzicka"}) {
    ASSERT_EQ(tool(folder, "train f.csv --label y -q -o n.kmx --kernel " + name).code, 0) << name;
    EXPECT_EQ(read_text(folder.file("n.kmx")), read_text(folder.file("m.kmx")));
  }
  const std::string kernels = tool(folder, "list kernels").out;
  EXPECT_NE(kernels.find("Other names of minmax: tanimoto, jaccard"), std::string::npos);
  EXPECT_NE(kernels.find("median is the median distance"), std::string::npos);
  EXPECT_NE(tool(folder, "list solvers").out.find("--combination product"), std::string::npos);
}

}  // namespace
}  // namespace kernmix::test
