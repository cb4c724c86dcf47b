#!/usr/bin/env bash
# stop-postgres.sh DIR: stops the cluster that start-postgres.sh started in DIR and leaves its files.
set -euo pipefail

dir=$(cd "${1:?usage: stop-postgres.sh DIR}" && pwd)
bin=/usr/lib/postgresql/15/bin
cd /
as_postgres() { if [[ $EUID -eq 0 ]]; then runuser -u postgres -- "$@"; else "$@"; fi; }
if as_postgres $bin/pg_ctl -D "$dir" status >/dev/null; then
  as_postgres $bin/pg_ctl -D "$dir" -m fast -w -s stop
fi
