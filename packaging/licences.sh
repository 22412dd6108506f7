#!/bin/sh
# Collects the licence texts of every module linked into the program. A package must
# include them.
#
#   packaging/licences.sh FOLDER
set -eu
GO=${GO:-go}
out=${1:?usage: packaging/licences.sh FOLDER}
mkdir -p "$out"
none=0
"$GO" list -deps -tags migrated_fynedo -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' . | sort -u |
	{
		while read -r path dir; do
			found=no
			for f in "$dir"/LICENSE* "$dir"/LICENCE* "$dir"/COPYING* "$dir"/NOTICE*; do
				[ -f "$f" ] || continue
				found=yes
				cp "$f" "$out/$(echo "$path" | tr / _)-$(basename "$f")"
			done
			if [ $found = no ]; then
				echo "licences: no licence file in $path" >&2
				none=1
			fi
		done
		cp LICENSE "$out/cairn-LICENSE"
		cp assets/meanings.md "$out/cairn-word-vectors.md"
		exit $none
	}
