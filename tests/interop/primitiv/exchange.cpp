// Writes random parameters, models and optimizers with primitiv, and reads those that another program wrote: see
// `README.md`.
//
// A dump has everything by name. Names are hexadecimal, the segments of a key with slashes between them; floats are their
// bits. primitiv does not list the statistics of a parameter: `load` looks for those of the file's dump.

#include "../exchange.h"

#include <primitiv/core/model.h>
#include <primitiv/core/optimizer_impl.h>
#include <primitiv/core/parameter.h>
#include <primitiv/devices/naive/device.h>

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

using primitiv::Model;
using primitiv::Optimizer;
using primitiv::Parameter;
using primitiv::Shape;
using primitiv::Tensor;
using std::string;
using std::unique_ptr;
using std::vector;
using Key = vector<string>;
using Uints = std::unordered_map<string, uint32_t>;
using Floats = std::unordered_map<string, float>;

// The bits of a float, on a little-endian machine.
string hex(float value) {
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    return hex(string{bytes[3], bytes[2], bytes[1], bytes[0]});
}

vector<string> split(const string &text, char at) {
    vector<string> parts(1);
    for (char c : text) c == at ? parts.emplace_back() : parts.back().push_back(c);
    return parts;
}

string dump(const Tensor &tensor) {
    string dims, values;
    for (uint32_t dim : tensor.shape().dims()) dims += (dims.empty() ? "" : ",") + std::to_string(dim);
    for (float value : tensor.to_vector()) values += hex(value);
    return " " + dims + " " + std::to_string(tensor.shape().batch()) + " " + values + "\n";
}

string dump(const Parameter &parameter, const std::set<string> &stats) {
    string text = "value" + dump(parameter.value());
    for (const string &name : stats) text += "stat " + hex(name) + dump(parameter.stats(name));
    return text;
}

string dump(const Optimizer &optimizer) {
    Uints uints;
    Floats floats;
    optimizer.get_configs(uints, floats);
    std::set<string> lines;
    for (const auto &config : uints) lines.insert("uint " + hex(config.first) + " " + std::to_string(config.second));
    for (const auto &config : floats) lines.insert("float " + hex(config.first) + " " + hex(config.second));
    string text = "optimizer\n";
    for (const string &line : lines) text += line + "\n";
    return text;
}

// A model with what is in it, and the names of the statistics.
struct Tree {
    Model root;
    std::map<Key, unique_ptr<Model>> submodels;
    std::map<Key, unique_ptr<Parameter>> parameters;
    std::map<Key, std::set<string>> stats;

    Model &model(const Key &key) {
        if (key.empty()) return root;
        unique_ptr<Model> &found = submodels[key];
        if (!found) {
            found.reset(new Model());
            model(Key(key.begin(), key.end() - 1)).add(key.back(), *found);
        }
        return *found;
    }

    Parameter &parameter(const Key &key) {
        unique_ptr<Parameter> &made = parameters[key];
        made.reset(new Parameter());
        model(Key(key.begin(), key.end() - 1)).add(key.back(), *made);
        return *made;
    }

    string dump_all() {
        string text = "model\n";
        for (const auto &found : root.get_all_parameters()) {
            string key;
            for (const string &part : found.first) key += "/" + hex(part);
            text += "key " + key.substr(1) + "\n" + dump(*found.second, stats[found.first]);
        }
        return text;
    }
};

// Configs of any names.
struct AnyOptimizer : Optimizer {
    Uints uints;
    Floats floats;

    void get_configs(Uints &u, Floats &f) const override { u = uints, f = floats; }
    void set_configs(const Uints &u, const Floats &f) override { uints = u, floats = f; }
    void configure_parameter(Parameter &) override {}
    void update_parameter(float, Parameter &) override {}
};

// Any bits, often infinities and NaNs.
float random_float(Dice &dice) {
    uint32_t bits = uint32_t(dice.roll()) | (dice.below(8) == 0 ? 0x7f800000 : 0);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Names of 31 and 32, 255 and 256, 65,535 and 65,536 bytes have different headers.
string random_name(Dice &dice) {
    switch (dice.below(12)) {
        case 0: return "";
        case 1: return string("a.b\0\n", 5);
        case 2: return dice.bytes(31 + dice.below(2));
        case 3: return dice.bytes(255 + dice.below(2));
        case 4: return dice.below(100) == 0 ? dice.bytes(65535 + dice.below(2)) : "Adam.m1";
        default: return dice.bytes(1 + dice.below(12));
    }
}

// Sizes that are not 0, which primitiv refuses.
Shape random_shape(Dice &dice, uint32_t batch) {
    vector<uint32_t> dims(size_t(dice.below(20) == 0 ? 8 : dice.below(5)));
    for (uint32_t &dim : dims) dim = uint32_t(1 + dice.below(dims.size() < 8 ? 4 : 2));
    if (dice.below(1000) == 0) dims.assign(1, uint32_t(16383 + dice.below(2)));
    return Shape(dims, batch);
}

vector<float> random_values(Dice &dice, const Shape &shape) {
    vector<float> values(shape.size());
    for (float &value : values) value = random_float(dice);
    return values;
}

void fill(Dice &dice, Parameter &parameter, std::set<string> &stats) {
    Shape shape = random_shape(dice, 1);
    parameter.init(shape, random_values(dice, shape));
    for (int count = dice.below(4); count > 0; --count) {
        string name = random_name(dice);
        if (!stats.insert(name).second) continue;
        Shape shape = random_shape(dice, uint32_t(1 + dice.below(3)));
        parameter.add_stats(name, shape);
        parameter.stats(name).reset_by_vector(random_values(dice, shape));
    }
}

void fill(Dice &dice, Tree &tree, const Key &above) {
    std::set<string> names;
    for (int count = dice.below(above.empty() && dice.below(50) == 0 ? 70 : 5); count > 0; --count) {
        Key key = above;
        key.push_back(random_name(dice));
        if (!names.insert(key.back()).second) continue;
        // Keys of 15 and of 16 segments have different headers.
        bool is_long = above.empty() && dice.below(100) == 0;
        for (int part = is_long ? 14 + dice.below(2) : 0; part > 0; --part) key.push_back(random_name(dice));
        if (key.size() < 4 && dice.below(3) == 0) fill(dice, tree, key);
        else fill(dice, tree.parameter(key), tree.stats[key]);
    }
}

unique_ptr<Optimizer> random_optimizer(Dice &dice) {
    namespace o = primitiv::optimizers;
    unique_ptr<Optimizer> made;
    float a = random_float(dice), b = random_float(dice), c = random_float(dice), d = random_float(dice);
    switch (dice.below(8)) {
        case 0: made.reset(new o::SGD(a)); break;
        case 1: made.reset(new o::MomentumSGD(a, b)); break;
        case 2: made.reset(new o::AdaGrad(a, b)); break;
        case 3: made.reset(new o::RMSProp(a, b, c)); break;
        case 4: made.reset(new o::AdaDelta(a, b)); break;
        case 5: made.reset(new o::Adam(a, b, c, d)); break;
        default:
            unique_ptr<AnyOptimizer> any(new AnyOptimizer());
            for (int count = dice.below(20); count > 0; --count) any->uints[random_name(dice)] = uint32_t(dice.roll());
            for (int count = dice.below(20); count > 0; --count) any->floats[random_name(dice)] = random_float(dice);
            made = std::move(any);
    }
    made->set_epoch(uint32_t(dice.roll()));
    made->set_learning_rate_scaling(float(dice.below(1000)) / 7);
    made->set_weight_decay(float(dice.below(1000)) / 7);
    made->set_gradient_clipping(float(dice.below(1000)) / 7);
    return made;
}

string make(Dice &dice, const string &path) {
    Tree tree;
    int kind = dice.below(5);
    if (kind == 0) {
        Parameter parameter;
        fill(dice, parameter, tree.stats[Key()]);
        parameter.save(path + ".file");
        return "parameter\n" + dump(parameter, tree.stats[Key()]);
    }
    if (kind == 1) {
        unique_ptr<Optimizer> optimizer = random_optimizer(dice);
        optimizer->save(path + ".file");
        return dump(*optimizer);
    }
    fill(dice, tree, Key());
    tree.root.save(path + ".file");
    return tree.dump_all();
}

string load(const string &path, const string &wanted) {
    vector<string> lines = split(wanted, '\n');
    Tree tree;
    Key key;
    for (const string &line : lines) {
        vector<string> words = split(line, ' ');
        if (words[0] == "key") {
            key.clear();
            for (const string &part : split(words[1], '/')) key.push_back(unhex(part));
            tree.parameter(key);
        } else if (words[0] == "stat") {
            tree.stats[key].insert(unhex(words[1]));
        }
    }
    if (lines[0] == "parameter") {
        Parameter parameter;
        parameter.load(path);
        parameter.save(path + ".again");
        return "parameter\n" + dump(parameter, tree.stats[key]);
    }
    if (lines[0] == "optimizer") {
        AnyOptimizer optimizer;
        optimizer.load(path);
        optimizer.save(path + ".again");
        return dump(optimizer);
    }
    tree.root.load(path);
    tree.root.save(path + ".again");
    return tree.dump_all();
}

int main(int argc, char **argv) {
    primitiv::devices::Naive device;
    primitiv::Device::set_default(device);
    return exchange(argc, argv, make, load);
}
