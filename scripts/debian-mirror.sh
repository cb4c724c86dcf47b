#!/usr/bin/env bash
# Prints the Debian mirror that this machine already trusts, in either format of apt's sources.
set -euo pipefail

mirror=$(find /etc/apt -maxdepth 2 \( -name '*.list' -o -name '*.sources' \) -exec cat {} + |
  awk 'tolower($1) == "uris:" || $1 == "deb" {
         for (i = 2; i <= NF; i++) { sub("/+$", "", $i); if ($i ~ /^https?:.*\/debian$/ && !found++) print $i } }')
[[ -n $mirror ]] || { echo "no Debian mirror among apt's sources" >&2; exit 1; }
echo "$mirror"
