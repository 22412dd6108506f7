#!/bin/sh
# Takes the pictures of docs/pictures from the real window under Xvfb, with a separate home
# folder. Pictures of a model need the Ollama at CAIRN_SHOTS_OLLAMA with CAIRN_SHOTS_MODEL;
# those of MetaQA need its data (CAIRN_DATA, or ../shared/data). The script waits for what
# the window says in its status line. CAIRN_SHOTS_ONLY names the parts to take, such as
# "statements words"; they are listed at the end.
#
#   packaging/screenshots.sh BINARY FOLDER
set -eu
binary=${1:?usage: packaging/screenshots.sh BINARY FOLDER}
folder=${2:?usage: packaging/screenshots.sh BINARY FOLDER}
app_id=${CAIRN_APP_ID:-dev.cairn.Cairn}

if [ -z "${CAIRN_SHOTS_INSIDE:-}" ]; then
	mkdir -p "$folder"
	CAIRN_SHOTS_INSIDE=yes
	export CAIRN_SHOTS_INSIDE
	exec xvfb-run -a -s "-screen 0 1600x1000x24 -nolisten tcp -dpi 96" "$0" "$(realpath "$binary")" "$(realpath "$folder")" </dev/null
fi

tmp=$(mktemp -d)
app=
stop() {
	if [ -n "$app" ]; then
		kill -TERM "$app" 2>/dev/null || true
		wait "$app" 2>/dev/null || true
		app=
	fi
}
trap 'stop; rm -rf "$tmp"' EXIT
export HOME="$tmp" XDG_CONFIG_HOME="$tmp/config" XDG_DATA_HOME="$tmp/data" XDG_CACHE_HOME="$tmp/cache" \
	XDG_STATE_HOME="$tmp/state" XDG_RUNTIME_DIR="$tmp/run" LANG=en_US.UTF-8
mkdir -p "$tmp/run" "$XDG_CONFIG_HOME/fyne/$app_id"
chmod 700 "$tmp/run"

# settle waits until the window stops changing, but for a blinking cursor.
settle() {
	for _ in $(seq 1 30); do
		import -window "$window" "$tmp/a.png"
		sleep 0.7
		import -window "$window" "$tmp/b.png"
		changed=$(compare -metric AE -fuzz 3% "$tmp/a.png" "$tmp/b.png" null: 2>&1 || true)
		case $changed in '' | *[!0-9]*) ;; *) [ "$changed" -gt 400 ] || return 0 ;; esac
	done
}

# mark sets where the next await starts to read. await WORDS waits until the window's log
# shows that its status line said them.
mark() { seen=$(wc -l <"$tmp/log"); }
await() {
	for _ in $(seq 1 2400); do
		if tail -n "+$((seen + 1))" "$tmp/log" | grep -q "msg=said.*$1"; then
			return 0
		fi
		kill -0 "$app" 2>/dev/null || break
		sleep 0.25
	done
	tail -n 20 "$tmp/log" >&2
	echo "screenshots: the window did not say “$1”" >&2
	exit 1
}

# start LOOK WIDTH HEIGHT [GRAPH] opens the window, with a second try if GLFW fails.
start() {
	look=$1 width=$2 height=$3
	shift 3
	printf '{"look":"%s","window.width":%s,"window.height":%s,"ollama.host":"%s","ollama.model":"%s"}\n' \
		"$look" "$width" "$height" "${CAIRN_SHOTS_OLLAMA:-http://127.0.0.1:9}" "${model:-}" \
		>"$XDG_CONFIG_HOME/fyne/$app_id/preferences.json"
	for attempt in 1 2; do
		seen=0
		"$binary" --debug "$@" >"$tmp/log" 2>&1 &
		app=$!
		for _ in $(seq 1 120); do
			window=$(xdotool search --onlyvisible --name Cairn 2>/dev/null | head -n 1) || true
			[ -z "$window" ] || break
			kill -0 "$app" 2>/dev/null || break
			sleep 0.25
		done
		if [ -n "$window" ]; then
			# Without a window manager the keys go where the pointer is.
			xdotool mousemove --window "$window" $((width - 30)) $((height - 8))
			case ${1:-} in *.csv) ;; *) await Ready ;; esac
			settle
			return 0
		fi
		stop
	done
	tail -n 20 "$tmp/log" >&2
	echo "screenshots: the window did not come up" >&2
	exit 1
}

ask() {
	xdotool key ctrl+l
	sleep 0.3
	xdotool key ctrl+a
	xdotool type --delay 15 "$1"
	sleep 0.3
	mark
	xdotool key Return
	await ' · [0-9.,]* [µm]*s"'
	settle
}

shot() {
	import -window "$window" -strip "$folder/$1.png"
	echo "screenshots: $folder/$1.png"
}

# The columns of tables: one that is clear, one that Cairn is not sure of, one with a title
# and units, and one that is cut off.
tables() {
	d=$tmp/files
	mkdir -p "$d"
	printf 'head,relation,tail,from,to,source\nMarie Curie,director of,Radium Institute,1914,1934,biography.pdf\nMarie Curie,director of,Radium Institute,1919,1920,letters.pdf\nPierre Curie,member of,Academy of Sciences,1905,1906,biography.pdf\nMarie Curie,member of,Academy of Medicine,1922,1934,biography.pdf\n' >"$d/curie.csv"
	printf 'ship,port,cargo\nAida,Oslo,salt\nBora,Riga,wool\nAida,Riga,wool\nCora,Oslo,salt\n' >"$d/ships.csv"
	start light 1280 820 "$d/curie.csv"
	xdotool key Tab Return
	sleep 1
	settle
	shot import-columns
	stop
	start light 1024 700 "$d/ships.csv"
	xdotool mousemove --window "$window" 741 614 click 1 # Import
	sleep 1
	settle
	shot import-asks
	stop
	printf 'Stations of the north,,,\nstation,opened,height,line\n,,m,\nFinse,1909,1222,Bergen Line\nMyrdal,1908,867,Bergen Line\nBjorli,1921,575,Rauma Line\nTotal,,2664,\n' >"$d/stations.csv"
	start light 1280 820 "$d/stations.csv"
	sleep 1
	settle
	shot import-sheet
	stop
	printf 'head,relation,tail\nFinse,on,Bergen Line\nMyrdal,on,"Bergen Line\nBjorli,on,Rauma Line\n' >"$d/cut.csv"
	start light 1024 700 "$d/cut.csv"
	xdotool key Tab Return
	sleep 1
	xdotool mousemove --window "$window" 513 643 click 1 # Try the first rows
	sleep 1
	settle
	shot import-wrong
	stop
}

# Statements with times: a timeline, the same without one triple, and a card.
statements() {
	d=$tmp/files
	mkdir -p "$d"
	printf 'head,relation,tail,from,to,source\nMarie Curie,director of,Radium Institute,1914,1934,biography.pdf\nAndré-Louis Debierne,director of,Radium Institute,1934,1946,letters.pdf\nIrène Joliot-Curie,director of,Radium Institute,1946,1956,annals.pdf\nMarie Curie,member of,Academy of Medicine,1922,1934,biography.pdf\nAntoine Béclère,member of,Academy of Medicine,1908,1939,annals.pdf\nIrène Joliot-Curie,child of,Marie Curie,,,biography.pdf\nÈve Curie,child of,Marie Curie,,,biography.pdf\nMarie Curie,discovered,polonium,,,biography.pdf\nMarie Curie,discovered,radium,,,biography.pdf\n' >"$d/institute.csv"
	"$binary" import --into "$tmp/institute.cairn" "$d/institute.csv" >"$tmp/log" 2>&1
	start light 1280 820 "$tmp/institute.cairn"
	ask "Who was director of the Radium Institute and when?"
	shot timeline
	xdotool key ctrl+2 Delete
	sleep 1
	settle
	shot what-if
	ask "Tell me about Marie Curie"
	shot card
	stop
}

# An answer that does not meet all conditions, by the exact-conditions retriever.
conditions() {
	start light 1280 820
	ask "Which country borders Austria and Portugal and uses the euro?"
	xdotool key ctrl+j
	sleep 1
	settle
	shot conditions
	stop
}

# A word that is not read, a claim that is refuted and one that is likely.
words() {
	start light 1280 820
	ask "Which rivers flow through Germany and were poisoned?"
	shot unread-light
	ask "Canberra is the capital of New Zealand."
	shot refuted-light
	ask "Marie Curie, a scientist, was born in Poland."
	shot likely
	stop
}

# The first screens: nothing asked yet, answers, more than one reading, no answer; dark,
# small, and the models.
answers() {
	start light 1280 820
	shot empty
	ask "Which country borders Austria and Hungary and uses the euro?"
	shot answer
	ask "What is the capital of the country where the person who was awarded the 1983 Nobel Prize in Physics was born?"
	shot three-hops
	ask "What is the capital of Georgia?"
	shot ambiguous
	ask "Who composed the national anthem of Peru?"
	shot refusal
	stop

	start dark 1280 820
	ask "Which country borders Austria and Hungary and uses the euro?"
	shot dark
	stop

	start light 900 600
	ask "In which countries were the discoverers of radium born?"
	shot small
	stop

	start light 1280 820
	xdotool key ctrl+shift+m
	sleep 1
	settle
	xdotool key Down
	settle
	shot models
	stop
}

# An answer worded by a model, and what the model was asked.
worded() {
	model=${CAIRN_SHOTS_MODEL:-}
	if [ -z "$model" ]; then
		echo "screenshots: no model in CAIRN_SHOTS_MODEL, so no picture of its answer"
		return
	fi
	start light 1280 820
	ask "Which country borders Austria and Hungary and uses the euro?"
	shot worded
	xdotool key ctrl+p
	sleep 1
	settle
	shot prompts
	stop
	model=
}

# Training a network, its answer, a comparison with others, and a query.
trained() {
	start light 1280 820
	xdotool key ctrl+shift+r
	sleep 1
	settle
	mark
	xdotool mousemove --window "$window" 678 764 click 1 # Train
	await 'is trained and in use'
	settle
	shot train
	mark
	xdotool key Return # Ask with it
	await 'answered by'
	xdotool mousemove --window "$window" 1250 812
	ask "Which languages are official in the countries that the Danube flows through?"
	xdotool key ctrl+3
	sleep 1
	settle
	shot network
	mark
	xdotool key ctrl+k
	await 'retrievers answered'
	settle
	shot compare
	xdotool key Escape
	sleep 0.5
	xdotool key ctrl+u
	sleep 0.7
	xdotool key shift+Return
	sleep 1
	settle
	shot cypher
	stop
}

# A three-hop question to a larger graph, and a trial of question templates.
metaqa() {
	data=${CAIRN_DATA:-../shared/data}
	if [ ! -f "$data/metaqa/kb.txt" ]; then
		echo "screenshots: no MetaQA in $data, so no picture of it"
		return
	fi
	"$binary" import --into "$tmp/metaqa.cairn" "$data/metaqa/kb.txt" >"$tmp/log" 2>&1
	start light 1280 820 "$tmp/metaqa.cairn"
	ask "the films that share directors with the film Inception were released in which years"
	shot metaqa
	stop
	"$binary" train templates "$tmp/metaqa.cairn" --questions "$data/metaqa/1-hop/qa_train.txt.gz" >"$tmp/log" 2>&1
	start light 1280 820 "$tmp/metaqa.cairn"
	xdotool key ctrl+shift+u
	sleep 1
	settle
	xdotool type --delay 15 "which films did {x} direct"
	settle
	xdotool key Tab space
	xdotool mousemove --window "$window" 780 727 click 1 # the question to try it on
	xdotool type --delay 15 "which films did Ridley Scott direct"
	mark
	xdotool key Return
	await 'template was tried'
	settle
	shot templates
	stop
}

for part in ${CAIRN_SHOTS_ONLY:-tables statements conditions words answers worded trained metaqa}; do
	"$part"
done
