// The peer hnswlib of `cairn-lab bench index`: it links the vectors of one file,
// searches for those of another, and writes times, ids and memory as JSON.
//
//	hnswlib VECTORS QUERIES DIMS M EFCONSTRUCTION THREADS SECONDS K EF[,EF...]
//
// The files are float32 in the machine's byte order, row after row. Building is on
// THREADS threads and ends after SECONDS, whatever is linked by then; a search is on
// one. It is a benchmark's, and no part of Cairn.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "hnswlib/hnswlib.h"

namespace {

using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
}

// Rows is a file of vectors, mapped: its pages are not the index's memory.
struct Rows {
    const float* data;
    size_t count;

    Rows(const char* path, size_t dims) {
        int fd = open(path, O_RDONLY);
        struct stat st;
        if (fd < 0 || fstat(fd, &st) != 0) throw std::runtime_error(std::string("cannot open ") + path);
        if (st.st_size == 0 || st.st_size % (dims * sizeof(float)) != 0)
            throw std::runtime_error(std::string(path) + " is not so many vectors");
        void* at = mmap(nullptr, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED) throw std::runtime_error(std::string("cannot map ") + path);
        close(fd);
        data = static_cast<const float*>(at);
        count = st.st_size / (dims * sizeof(float));
    }
};

// Resident returns a field of /proc/self/status in bytes, 0 where there is none.
long long Resident(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line))
        if (line.compare(0, field.size(), field) == 0) return 1024 * atoll(line.c_str() + field.size());
    return 0;
}

int Run(char** argv) {
    const size_t dims = strtoull(argv[3], nullptr, 10), m = strtoull(argv[4], nullptr, 10);
    const size_t efc = strtoull(argv[5], nullptr, 10), threads = strtoull(argv[6], nullptr, 10);
    const double limit = strtod(argv[7], nullptr);
    const size_t k = strtoull(argv[8], nullptr, 10);
    const Rows vectors(argv[1], dims), queries(argv[2], dims);

    hnswlib::L2Space space(dims);
    auto began = Clock::now();
    auto worked = std::clock();  // of all threads
    hnswlib::HierarchicalNSW<float> index(&space, vectors.count, m, efc);
    index.addPoint(vectors.data, 0);  // the first one alone: it is the entry
    std::atomic<size_t> next{1}, linked{1};
    std::vector<std::thread> crew;
    for (size_t t = 0; t < threads; t++)
        crew.emplace_back([&] {
            for (size_t i = next++; i < vectors.count && Seconds(began) < limit; i = next++) {
                index.addPoint(vectors.data + i * dims, i);
                linked++;
            }
        });
    for (auto& t : crew) t.join();
    printf("{\"build_seconds\":%.6f,\"processor_seconds\":%.6f,\"linked\":%zu,\"memory\":%lld,\"searches\":[", Seconds(began), (std::clock() - worked) / double(CLOCKS_PER_SEC), linked.load(), Resident("RssAnon:"));
    if (linked == vectors.count) {
        std::stringstream list(argv[9]);
        std::string ef;
        for (bool first = true; std::getline(list, ef, ','); first = false) {
            index.setEf(strtoull(ef.c_str(), nullptr, 10));
            printf("%s{\"ef\":%s,\"answers\":[", first ? "" : ",", ef.c_str());
            for (size_t q = 0; q < queries.count; q++) {
                auto start = Clock::now();
                auto found = index.searchKnn(queries.data + q * dims, k);
                printf("%s{\"nanoseconds\":%.0f,\"ids\":[", q ? "," : "", 1e9 * Seconds(start));
                for (bool one = true; !found.empty(); found.pop(), one = false)
                    printf("%s%zu", one ? "" : ",", static_cast<size_t>(found.top().second));
                printf("]}");
            }
            printf("]}");
        }
    }
    printf("]}\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 10) {
        fprintf(stderr, "usage: hnswlib VECTORS QUERIES DIMS M EFCONSTRUCTION THREADS SECONDS K EF[,EF...]\n");
        return 2;
    }
    try {
        return Run(argv);
    } catch (const std::exception& e) {
        fprintf(stderr, "hnswlib: %s\n", e.what());
        return 1;
    }
}
