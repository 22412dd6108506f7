"""Times the queries of BenchmarkCypher (engine/cypher/bench_test.go) in kuzu.

    pip install kuzu==0.11.3
    python engine/lab/peers/cypher_in_kuzu.py ../shared/data/metaqa/kb.txt engine/cypher/bench_test.go
"""
import csv
import os
import re
import sys
import tempfile
import time

import kuzu

kb, queries = sys.argv[1:3]
folder = tempfile.mkdtemp()
triples = [line.rstrip("\n").split("|") for line in open(kb, encoding="utf-8")]
triples = sorted({tuple(t) for t in triples if len(t) == 3})
conn = kuzu.Connection(kuzu.Database(os.path.join(folder, "db")), num_threads=2)
start = time.time()
conn.execute("CREATE NODE TABLE Thing(name STRING, PRIMARY KEY(name))")


def copy(table, rows):
    path = os.path.join(folder, table + ".csv")
    with open(path, "w", encoding="utf-8", newline="") as f:
        csv.writer(f, quoting=csv.QUOTE_ALL).writerows(rows)
    conn.execute(f'COPY {table} FROM "{path}" (HEADER=false, PARALLEL=false, ESCAPE=\'"\')')


copy("Thing", [[n] for n in sorted({x for t in triples for x in (t[0], t[2])})])
for relation in sorted({t[1] for t in triples}):
    conn.execute(f"CREATE REL TABLE {relation}(FROM Thing TO Thing)")
    copy(relation, [(t[0], t[2]) for t in triples if t[1] == relation])
print(f"kuzu {kuzu.__version__}, loaded in {time.time() - start:.1f} s")

for name, text in re.findall(r'\{"(\w+)", "(.*)"\},', open(queries, encoding="utf-8").read()):
    text = text.replace("shortestPath((a", "(a").replace("[*..6]", "[* SHORTEST 1..6]").replace(")) RETURN", ") RETURN")
    rows, times = [], []
    until = time.time() + 2
    while not times or time.time() < until:
        start = time.perf_counter()
        result = conn.execute(text)
        rows = result.get_all()
        times.append(time.perf_counter() - start)
    n = rows[0][0] if len(rows) == 1 and isinstance(rows[0][0], int) else len(rows)
    print(f"{name:12} {sorted(times)[len(times) // 2] * 1e3:10.3f} ms  {n} rows")
