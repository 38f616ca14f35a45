// Writes random modules and tensors with TenniS, and reads those that another program wrote: see `README.md`.
//
// A dump has the nodes in the order in which they are met from the outputs and then the inputs, depth first, and the
// params by name. Names and the bytes of elements are hexadecimal.

#include "../exchange.h"

#include <core/tensor.h>
#include <global/setup.h>
#include <module/graph.h>
#include <module/io/fstream.h>
#include <module/module.h>

#include <map>

using ts::Node;
using ts::Tensor;
using std::string;
using std::vector;

string joined(const ts::Shape &shape) {
    string text;
    for (int32_t size : shape) text += (text.empty() ? "" : ",") + std::to_string(size);
    return text;
}

string dump(const Tensor &packed) {
    string text;
    for (const Tensor &field : packed.unpack()) {
        size_t size = size_t(field.count()) * size_t(ts::type_bytes(field.dtype()));
        text += "tensor " + std::to_string(int(field.dtype())) + " " + joined(field.sizes()) + " " +
                hex(string(size == 0 ? "" : field.data<char>(), size)) + "\n";
    }
    return text;
}

// The nodes in the order of the dump.
struct Order {
    vector<Node> nodes;
    std::map<void *, size_t> places;

    void visit(const Node &node) {
        if (!places.insert(std::make_pair(node.ptr(), nodes.size())).second) return;
        nodes.push_back(node);
        for (const Node &input : node.inputs()) visit(input);
    }

    string listed(const vector<Node> &some) {
        string text;
        for (const Node &node : some) text += " " + std::to_string(places.at(node.ptr()));
        return text + "\n";
    }
};

string dump(const ts::Module &module) {
    Order order;
    for (const Node &node : module.outputs()) order.visit(node);
    for (const Node &node : module.inputs()) order.visit(node);
    string text = "inputs" + order.listed(module.inputs()) + "outputs" + order.listed(module.outputs());
    for (const Node &node : order.nodes) {
        text += "node " + hex(node->op()) + " " + hex(node->name()) + order.listed(node.inputs());
        std::map<string, Tensor> params(node->params().begin(), node->params().end());
        auto shape = params.find("#shape");
        if (shape != params.end() && shape->second.dtype() == ts::INT32 && shape->second.count() <= 7) {
            text += "shape " + joined(node->shape()) + "\n";
        }
        for (const auto &param : params) text += "param " + hex(param.first) + "\n" + dump(param.second);
    }
    return text;
}

Tensor random_tensor(Dice &dice) {
    auto dtype = ts::DTYPE(dice.below(33));
    ts::Shape shape;
    bool large = dice.below(100) == 0;
    for (int dims = large ? 3 : dice.below(5); dims > 0; --dims) shape.push_back(dice.below(large ? 30 : 4));
    Tensor tensor(dtype, shape);
    size_t size = size_t(tensor.count()) * size_t(ts::type_bytes(dtype));
    for (size_t i = 0; i < size; ++i) {
        tensor.data<uint8_t>()[i] = uint8_t(dtype == ts::BOOLEAN ? dice.below(2) : dice.below(256));
    }
    return tensor;
}

Tensor random_packed(Dice &dice) {
    if (dice.below(20) == 0) return Tensor();
    if (dice.below(5) > 0) return random_tensor(dice);
    vector<Tensor> fields;
    for (int count = 2 + dice.below(3); count > 0; --count) fields.push_back(random_tensor(dice));
    return Tensor::Pack(fields);
}

// Any bytes; node names may be long, names of params seldom are.
string random_name(Dice &dice) {
    switch (dice.below(12)) {
        case 0: return "";
        case 1: return "#other";
        case 2: return string("a\0\n ", 4);
        case 3: return dice.bytes(31);
        case 4: return dice.bytes(30 + dice.below(300));
        default: return dice.bytes(1 + dice.below(12));
    }
}

ts::Module::shared random_module(Dice &dice) {
    ts::Graph graph;
    vector<Node> nodes, idle, outputs;
    for (int count = dice.below(10); count > 0; --count) {
        int kind = nodes.empty() ? dice.below(2) : dice.below(5);
        string op = kind == 0 ? ts::Bubble::Parameter : kind == 1 ? ts::Bubble::Const : random_name(dice);
        Node node = graph.make(op, random_name(dice));
        if (kind == 1) node->set("value", random_packed(dice));
        for (int params = dice.below(4); params > 0; --params) node->set(random_name(dice), random_packed(dice));
        if (dice.below(3) == 0) {
            ts::Shape shape;
            for (int dims = dice.below(5); dims > 0; --dims) shape.push_back(dice.below(6) - 1);
            node->shape(shape);
            node->dtype(ts::DTYPE(dice.below(33)));
        }
        vector<Node> inputs;
        for (int some = kind < 2 ? 0 : 1 + dice.below(3); some > 0; --some) {
            inputs.push_back(nodes[size_t(dice.below(int(nodes.size())))]);
        }
        Node::Link(node, inputs);
        nodes.push_back(node);
        if (kind < 2) idle.push_back(node);
    }
    for (int some = nodes.empty() ? 0 : 1 + dice.below(3); some > 0; --some) {
        outputs.push_back(nodes[size_t(dice.below(int(nodes.size())))]);
    }
    ts::Module::shared module = ts::Module::Load(graph, outputs);
    if (!idle.empty() && dice.below(3) == 0) {
        // One more input, which no output needs.
        vector<Node> inputs = module->inputs();
        inputs.push_back(idle[size_t(dice.below(int(idle.size())))]);
        module->sort_inputs(inputs);
    }
    return module;
}

string make(Dice &dice, const string &path) {
    if (dice.below(5) > 0) {
        ts::Module::shared module = random_module(dice);
        ts::Module::Save(path + ".tsm", module);
        return dump(*module);
    }
    Tensor tensor = random_packed(dice);
    ts::FileStreamWriter writer(path + ".t");
    tensor.serialize(writer);
    return dump(tensor);
}

string load(const string &path, const string &) {
    if (path.substr(path.rfind('.')) == ".tsm") {
        ts::Module::shared module = ts::Module::Load(path);
        ts::Module::Save(path + ".again", module);
        return dump(*module);
    }
    ts::FileStreamReader reader(path);
    Tensor tensor;
    tensor.externalize(reader);
    ts::FileStreamWriter writer(path + ".again");
    tensor.serialize(writer);
    return dump(tensor);
}

int main(int argc, char **argv) {
    ts::setup();
    return exchange(argc, argv, make, load);
}
