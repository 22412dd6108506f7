package bench

import "strings"

// operator is one thing that can be asked, in four languages. In Cairn's text A and B are
// names, R and S relations, $n a number; the others have $a, $b, $r and $s for them. Each
// query of kuzu and oxigraph tells one number; all ask as ours does: what has two names in the
// pattern is two things. A language that cannot say it has none.
type operator struct {
	name                      string
	draw                      func(*operatorDrawer) (operatorQuery, bool)
	text, sql, cypher, sparql string
}

// lists reports whether things are asked for, which SQLite then lists, rather than a number.
func (o operator) lists() bool {
	return strings.HasPrefix(o.text, "(") && !strings.Contains(o.text, "| count") && !strings.Contains(o.text, "| average")
}

// operators are those that name something, and those that ask of everything.
//
// SQLite has triples(h, r, t), and things(e, literal, value) for values; kuzu a table of
// every relation that is asked for, R$r, and one of all, E; oxigraph the triples, and
// <v:value> for values.
var operators = []operator{
	{
		"one hop", (*operatorDrawer).out, "(A) -R-> (?x)",
		`SELECT DISTINCT t FROM triples WHERE h = $a AND r = $r AND t <> $a`,
		`MATCH (a:N {id: $a})-[:R$r]->(x:N) WHERE x.id <> $a RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { <e:$a> <r:$r> ?x FILTER(?x != <e:$a>) }`,
	},
	{
		"one hop back", (*operatorDrawer).in, "(?x) -R-> (A)",
		`SELECT DISTINCT h FROM triples WHERE t = $a AND r = $r AND h <> $a`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}) WHERE x.id <> $a RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> <e:$a> FILTER(?x != <e:$a>) }`,
	},
	{
		"two hops", (*operatorDrawer).hops, "(A) -R-> (?y) -S-> (?x)",
		`SELECT DISTINCT y.t FROM triples x JOIN triples y ON y.h = x.t AND y.r = $s
			WHERE x.h = $a AND x.r = $r AND x.t <> $a AND y.t <> $a AND y.t <> x.t`,
		`MATCH (a:N {id: $a})-[:R$r]->(y:N)-[:R$s]->(x:N) WHERE y.id <> $a AND x.id <> $a AND x.id <> y.id RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { <e:$a> <r:$r> ?y . ?y <r:$s> ?x FILTER(?x != <e:$a> && ?y != <e:$a> && ?x != ?y) }`,
	},
	{
		"sharing", (*operatorDrawer).shared, "(A) -R-> (?y) <-S- (?x)",
		`SELECT DISTINCT y.h FROM triples x JOIN triples y ON y.t = x.t AND y.r = $s
			WHERE x.h = $a AND x.r = $r AND x.t <> $a AND y.h <> $a AND y.h <> x.t`,
		`MATCH (a:N {id: $a})-[:R$r]->(y:N)<-[:R$s]-(x:N) WHERE y.id <> $a AND x.id <> $a AND x.id <> y.id RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { <e:$a> <r:$r> ?y . ?x <r:$s> ?y FILTER(?x != <e:$a> && ?y != <e:$a> && ?x != ?y) }`,
	},
	{
		"and", (*operatorDrawer).two, "(?x) -R-> (A); (?x) -S-> (B)",
		`SELECT DISTINCT x.h FROM triples x JOIN triples y ON y.h = x.h AND y.r = $s AND y.t = $b
			WHERE x.t = $a AND x.r = $r AND x.h NOT IN ($a, $b)`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}), (x)-[:R$s]->(b:N {id: $b}) WHERE x.id <> $a AND x.id <> $b RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> <e:$a> . ?x <r:$s> <e:$b> FILTER(?x != <e:$a> && ?x != <e:$b>) }`,
	},
	{
		"or", (*operatorDrawer).two, "(?x) | either (?x) -R-> (A) | or (?x) -S-> (B)",
		`SELECT h FROM triples WHERE t = $a AND r = $r AND h <> $a
			UNION SELECT h FROM triples WHERE t = $b AND r = $s AND h <> $b`,
		`MATCH (x:N)-[e:R$r|R$s]->(y:N) WHERE y.id IN [$a, $b] AND x.id <> y.id
			AND (y.id = $a AND label(e) = 'R$r' OR y.id = $b AND label(e) = 'R$s') RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { { ?x <r:$r> <e:$a> FILTER(?x != <e:$a>) } UNION { ?x <r:$s> <e:$b> FILTER(?x != <e:$b>) } }`,
	},
	{
		"not", (*operatorDrawer).two, "(?x) -R-> (A) | without (?x) -S-> (B)",
		`SELECT DISTINCT h FROM triples x WHERE t = $a AND r = $r AND h <> $a
			AND NOT EXISTS (SELECT 1 FROM triples y WHERE y.h = x.h AND y.r = $s AND y.t = $b AND y.h <> $b)`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}) WHERE x.id <> $a AND NOT EXISTS { MATCH (x)-[:R$s]->(b:N {id: $b}) WHERE x.id <> $b }
			RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> <e:$a> FILTER(?x != <e:$a>) FILTER NOT EXISTS { ?x <r:$s> <e:$b> FILTER(?x != <e:$b>) } }`,
	},
	{
		"only", (*operatorDrawer).in, "(?x) -R-> (A) | only (?x) -R-> (A)",
		`SELECT DISTINCT h FROM triples x WHERE t = $a AND r = $r AND h <> $a
			AND NOT EXISTS (SELECT 1 FROM triples y WHERE y.h = x.h AND y.r = $r AND y.t <> $a)`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}) WHERE x.id <> $a AND NOT EXISTS { MATCH (x)-[:R$r]->(o:N) WHERE o.id <> $a }
			RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> <e:$a> FILTER(?x != <e:$a>) FILTER NOT EXISTS { ?x <r:$r> ?o FILTER(?o != <e:$a>) } }`,
	},
	{
		"at least 2", (*operatorDrawer).two, "(?x) -R-> (A) | at least 2 ?y: (?x) -S-> (?y)",
		`SELECT DISTINCT h FROM triples x WHERE t = $a AND r = $r AND h <> $a
			AND (SELECT count(DISTINCT y.t) FROM triples y WHERE y.h = x.h AND y.r = $s AND y.t <> x.h) >= 2`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}), (x)-[:R$s]->(y:N) WHERE x.id <> $a AND x.id <> y.id
			WITH x.id AS i, count(DISTINCT y.id) AS n WHERE n >= 2 RETURN count(*)`,
		`SELECT (count(*) AS ?n) { SELECT ?x { ?x <r:$r> <e:$a> . ?x <r:$s> ?y FILTER(?x != <e:$a> && ?x != ?y) }
			GROUP BY ?x HAVING (count(DISTINCT ?y) >= 2) }`,
	},
	{
		"count", (*operatorDrawer).in, "(?x) -R-> (A) | count ?x",
		`SELECT count(DISTINCT h) FROM triples WHERE t = $a AND r = $r AND h <> $a`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}) WHERE x.id <> $a RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> <e:$a> FILTER(?x != <e:$a>) }`,
	},
	{
		"top 5", (*operatorDrawer).two, "(?x) -R-> (A); (?x) -S-> (?y) | count ?x per ?y | largest count 5",
		`SELECT sum(n) FROM (SELECT count(DISTINCT x.h) AS n FROM triples x JOIN triples y ON y.h = x.h AND y.r = $s
			WHERE x.t = $a AND x.r = $r AND x.h <> $a AND y.t <> $a AND y.t <> x.h GROUP BY y.t ORDER BY n DESC LIMIT 5)`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}), (x)-[:R$s]->(y:N) WHERE x.id <> $a AND y.id <> $a AND x.id <> y.id
			WITH y.id AS i, count(DISTINCT x.id) AS n ORDER BY n DESC LIMIT 5 RETURN sum(n)`,
		`SELECT (sum(?c) AS ?n) { SELECT ?y (count(DISTINCT ?x) AS ?c) { ?x <r:$r> <e:$a> . ?x <r:$s> ?y
			FILTER(?x != <e:$a> && ?y != <e:$a> && ?x != ?y) } GROUP BY ?y ORDER BY DESC(?c) LIMIT 5 }`,
	},
	{
		"average", (*operatorDrawer).amounts, "(?x) -R-> (A); (?x) -S-> (?v) | average ?v of ?x",
		`SELECT avg(value) FROM triples x JOIN triples y ON y.h = x.h AND y.r = $s JOIN things ON e = y.t
			WHERE x.t = $a AND x.r = $r AND x.h <> $a AND y.t NOT IN ($a, x.h)`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}), (x)-[:R$s]->(v:N) WHERE x.id <> $a AND v.id <> $a AND v.id <> x.id RETURN avg(v.value)`,
		`SELECT (avg(?v) AS ?n) { ?x <r:$r> <e:$a> . ?x <r:$s> ?y . ?y <v:value> ?v FILTER(?x != <e:$a> && ?y != <e:$a> && ?x != ?y) }`,
	},
	{
		"range", (*operatorDrawer).amounts, "(?x) -R-> (A); (?x) -S-> (?v) | find ?x | ?v > $n",
		`SELECT DISTINCT x.h FROM triples x JOIN triples y ON y.h = x.h AND y.r = $s JOIN things ON e = y.t
			WHERE x.t = $a AND x.r = $r AND x.h <> $a AND y.t NOT IN ($a, x.h) AND value > $n`,
		`MATCH (x:N)-[:R$r]->(a:N {id: $a}), (x)-[:R$s]->(v:N) WHERE x.id <> $a AND v.id <> $a AND v.id <> x.id AND v.value > $n
			RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> <e:$a> . ?x <r:$s> ?y . ?y <v:value> ?v
			FILTER(?x != <e:$a> && ?y != <e:$a> && ?x != ?y && ?v > $n) }`,
	},
	{
		"shortest path", (*operatorDrawer).pair, "path (A) to (B) | within 6 | shortest 1",
		`WITH RECURSIVE reached(e, d) AS (VALUES ($a, 0)
			UNION SELECT t, d + 1 FROM reached JOIN triples ON h = reached.e WHERE d < 6 AND (d = 0 OR NOT (SELECT literal FROM things WHERE e = h))
			UNION SELECT h, d + 1 FROM reached JOIN triples ON t = reached.e WHERE d < 6 AND (d = 0 OR NOT (SELECT literal FROM things WHERE e = t)))
			SELECT coalesce((SELECT d FROM reached WHERE e = $b LIMIT 1), 0)`,
		`MATCH (a:N {id: $a})-[p:E* SHORTEST 1..6 (s, n | WHERE NOT n.literal)]-(b:N {id: $b}) RETURN min(length(p))`,
		``,
	},
	{
		"closure", (*operatorDrawer).chain, "(A) -R+-> (?x)",
		`WITH RECURSIVE reached(e) AS (SELECT t FROM triples WHERE h = $a AND r = $r
			UNION SELECT t FROM reached JOIN triples ON h = reached.e AND r = $r)
			SELECT e FROM reached WHERE e <> $a`,
		`MATCH (a:N {id: $a})-[:R$r* SHORTEST 1..30]->(x:N) WHERE x.id <> $a RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { <e:$a> <r:$r>+ ?x FILTER(?x != <e:$a>) }`,
	},
	{
		"describe", (*operatorDrawer).out, "describe (A)",
		`SELECT count(*) FROM (SELECT r, count(*) FROM triples WHERE h = $a GROUP BY r
			UNION ALL SELECT r, count(*) FROM triples WHERE t = $a GROUP BY r)`,
		`MATCH (a:N {id: $a}) OPTIONAL MATCH (a)-[o:E]->(:N) WITH a, count(DISTINCT o.r) AS n
			OPTIONAL MATCH (a)<-[i:E]-(:N) WITH n, count(DISTINCT i.r) AS m RETURN n + m`,
		`SELECT (count(*) AS ?n) { SELECT DISTINCT ?way ?p { { <e:$a> ?p ?x BIND(1 AS ?way) } UNION { ?x ?p <e:$a> BIND(2 AS ?way) }
			FILTER(?p != <v:value>) } }`,
	},
	{
		"count of all", (*operatorDrawer).out, "(?x) -R-> (?y) | count ?x",
		`SELECT count(DISTINCT h) FROM triples WHERE r = $r AND h <> t`,
		`MATCH (x:N)-[:R$r]->(y:N) WHERE x.id <> y.id RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$r> ?y FILTER(?x != ?y) }`,
	},
	{
		"top 5 of all", (*operatorDrawer).out, "(?x) -R-> (?y) | count ?x per ?y | largest count 5",
		`SELECT sum(n) FROM (SELECT count(DISTINCT h) AS n FROM triples WHERE r = $r AND h <> t GROUP BY t ORDER BY n DESC LIMIT 5)`,
		`MATCH (x:N)-[:R$r]->(y:N) WHERE x.id <> y.id WITH y.id AS i, count(DISTINCT x.id) AS n ORDER BY n DESC LIMIT 5 RETURN sum(n)`,
		`SELECT (sum(?c) AS ?n) { SELECT ?y (count(DISTINCT ?x) AS ?c) { ?x <r:$r> ?y FILTER(?x != ?y) } GROUP BY ?y ORDER BY DESC(?c) LIMIT 5 }`,
	},
	{
		"at least 2 of all", (*operatorDrawer).out, "(?x) | at least 2 ?y: (?x) -R-> (?y)",
		`SELECT h FROM triples WHERE r = $r AND h <> t GROUP BY h HAVING count(DISTINCT t) >= 2`,
		`MATCH (x:N)-[:R$r]->(y:N) WHERE x.id <> y.id WITH x.id AS i, count(DISTINCT y.id) AS n WHERE n >= 2 RETURN count(*)`,
		`SELECT (count(*) AS ?n) { SELECT ?x { ?x <r:$r> ?y FILTER(?x != ?y) } GROUP BY ?x HAVING (count(DISTINCT ?y) >= 2) }`,
	},
	{
		"average of all", (*operatorDrawer).values, "(?x) -S-> (?v) | average ?v of ?x",
		`SELECT avg(value) FROM triples JOIN things ON e = t WHERE r = $s AND h <> t`,
		`MATCH (x:N)-[:R$s]->(v:N) WHERE x.id <> v.id RETURN avg(v.value)`,
		`SELECT (avg(?v) AS ?n) { ?x <r:$s> ?y . ?y <v:value> ?v FILTER(?x != ?y) }`,
	},
	{
		"range of all", (*operatorDrawer).values, "(?x) -S-> (?v) | find ?x | ?v > $n",
		`SELECT DISTINCT h FROM triples JOIN things ON e = t WHERE r = $s AND h <> t AND value > $n`,
		`MATCH (x:N)-[:R$s]->(v:N) WHERE x.id <> v.id AND v.value > $n RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { ?x <r:$s> ?y . ?y <v:value> ?v FILTER(?x != ?y && ?v > $n) }`,
	},
	{
		"largest 5 of all", (*operatorDrawer).values, "(?x) -S-> (?v) | find ?x | largest ?v 5",
		`WITH said AS (SELECT h, value FROM triples JOIN things ON e = t WHERE r = $s AND h <> t AND value IS NOT NULL)
			SELECT DISTINCT h FROM said WHERE value IN (SELECT DISTINCT value FROM said ORDER BY value DESC LIMIT 5)`,
		`MATCH (x:N)-[:R$s]->(v:N) WHERE x.id <> v.id AND v.value IS NOT NULL WITH DISTINCT v.value AS n ORDER BY n DESC LIMIT 5 WITH min(n) AS least
			MATCH (x:N)-[:R$s]->(v:N) WHERE x.id <> v.id AND v.value >= least RETURN count(DISTINCT x.id)`,
		`SELECT (count(DISTINCT ?x) AS ?n) { { SELECT DISTINCT ?v { ?x <r:$s> ?y . ?y <v:value> ?v FILTER(?x != ?y) } ORDER BY DESC(?v) LIMIT 5 }
			?x <r:$s> ?y . ?y <v:value> ?v FILTER(?x != ?y) }`,
	},
}
