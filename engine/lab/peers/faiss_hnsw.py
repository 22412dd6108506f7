#!/usr/bin/env python3
"""The peer faiss of `cairn-lab bench index --faiss engine/lab/peers/faiss_hnsw.py`.

    pip install faiss-cpu==1.15.1

It is asked, and answers, as engine/lab/hnswlib is; the searches without an ef are those
of faiss's exact index. It is a benchmark's, and no part of Cairn.
"""
import json
import sys
import time

import faiss
import numpy

vectors, queries, dims, m, efc, threads, seconds, k, efs = sys.argv[1:]
rows, asked = (numpy.fromfile(f, numpy.float32).reshape(-1, int(dims)) for f in (vectors, queries))
k = min(int(k), len(rows))
ADDED = 1024  # at once, between two looks at the clock


def held():
    """What is resident and no file's, in bytes."""
    with open("/proc/self/status") as f:
        return next(1024 * int(line.split()[1]) for line in f if line.startswith("RssAnon:"))


def answers(index, ef):
    out = []
    for q in range(len(asked)):
        row = asked[q : q + 1]
        began = time.perf_counter()
        found = index.search(row, k)[1][0]
        out.append({"nanoseconds": 1e9 * (time.perf_counter() - began), "ids": [int(i) for i in found if i >= 0]})
    return {"ef": ef, "answers": out}


faiss.omp_set_num_threads(int(threads))
before, began, worked = held(), time.monotonic(), time.process_time()
index = faiss.IndexHNSWFlat(int(dims), int(m))
index.hnsw.efConstruction = int(efc)
for i in range(0, len(rows), ADDED):
    if i and time.monotonic() - began > float(seconds):
        break
    index.add(rows[i : i + ADDED])
reply = {
    "build_seconds": time.monotonic() - began,
    "processor_seconds": time.process_time() - worked,
    "linked": index.ntotal,
    "memory": max(0, held() - before),
    "searches": [],
}
faiss.omp_set_num_threads(1)
if index.ntotal == len(rows):
    exact = faiss.IndexFlatL2(int(dims))
    exact.add(rows)
    reply["searches"].append(answers(exact, 0))
    for ef in map(int, efs.split(",")):
        index.hnsw.efSearch = ef
        reply["searches"].append(answers(index, ef))
json.dump(reply, sys.stdout)
