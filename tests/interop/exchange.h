// Code shared by the two programs that exchange files with the tests: random numbers, hexadecimal digits, and loops over
// files. Each file has a dump next to it, with the extension `.txt`: its content as text.

#include <dirent.h>

#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

// SplitMix64.
struct Dice {
    uint64_t state;

    uint64_t roll() {
        uint64_t mixed = state += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
        return mixed ^ mixed >> 31;
    }

    int below(int bound) { return int(roll() % uint64_t(bound)); }

    std::string bytes(int count) {
        std::string bytes;
        for (int i = 0; i < count; ++i) bytes.push_back(char(roll()));
        return bytes;
    }
};

inline std::string hex(const std::string &bytes) {
    const char *digits = "0123456789abcdef";
    std::string text;
    for (unsigned char byte : bytes) {
        text.push_back(digits[byte >> 4]);
        text.push_back(digits[byte & 15]);
    }
    return text;
}

inline std::string unhex(const std::string &text) {
    std::string bytes;
    for (size_t i = 0; i + 1 < text.size(); i += 2) bytes.push_back(char(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

inline std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// Makes a random file, whose path is the given one and an extension, and returns its dump.
using Make = std::string (*)(Dice &dice, const std::string &path);

// Loads a file, saves it again as FILE.again, and returns the dump of what was loaded. `wanted` is the file's dump.
using Load = std::string (*)(const std::string &path, const std::string &wanted);

inline int check_files(const std::string &folder, Load load) {
    int files = 0, different = 0;
    DIR *listed = opendir(folder.c_str());
    while (dirent *entry = listed ? readdir(listed) : nullptr) {
        std::string path = folder + "/" + entry->d_name, found;
        size_t dot = path.rfind('.');
        std::string extension = path.substr(dot + 1);
        if (entry->d_name[0] == '.' || extension == "txt" || extension == "again") continue;
        std::string wanted = read_file(path.substr(0, dot) + ".txt");
        try {
            found = load(path, wanted);
        } catch (const std::exception &error) {
            found = error.what();
        }
        ++files;
        if (found == wanted) continue;
        ++different;
        std::cout << path << " is\n" << found << "and not\n" << wanted;
    }
    std::cout << files << " files, " << different << " differ" << std::endl;
    return files > 0 && different == 0 ? 0 : 1;
}

// The commands `write SEED COUNT DIR` and `check DIR`.
inline int exchange(int argc, char **argv, Make make, Load load) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 4 && arguments[0] == "write") {
        Dice dice{std::stoull(arguments[1])};
        for (int i = 0; i < std::stoi(arguments[2]); ++i) {
            std::string path = arguments[3] + "/" + std::to_string(i);
            std::string text = make(dice, path);
            std::ofstream(path + ".txt", std::ios::binary) << text;
        }
        return 0;
    }
    if (arguments.size() == 2 && arguments[0] == "check") return check_files(arguments[1], load);
    std::cerr << "exchange write SEED COUNT DIR | exchange check DIR" << std::endl;
    return 2;
}
