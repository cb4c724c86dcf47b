#!/usr/bin/env bash
# start-postgres.sh DIR PORT: makes a throw-away cluster in DIR (if there is none), starts it on
# 127.0.0.1:PORT without passwords, and prints its URL. Prints the URL too when it runs already.
set -euo pipefail

dir=${1:?usage: start-postgres.sh DIR PORT} port=${2:?usage: start-postgres.sh DIR PORT}
bin=/usr/lib/postgresql/15/bin
url="postgresql://postgres@127.0.0.1:$port/postgres"

# PostgreSQL refuses to run as root.
as_postgres() { if [[ $EUID -eq 0 ]]; then runuser -u postgres -- "$@"; else "$@"; fi; }

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
chmod 700 "$dir"
if [[ $EUID -eq 0 ]]; then chown postgres: "$dir"; fi
cd /

if [[ ! -f $dir/PG_VERSION ]]; then
  # No passwords, so loopback TCP only: no Unix socket, no other address.
  as_postgres $bin/initdb -D "$dir" -U postgres --auth=reject --auth-host=trust \
    --encoding=UTF8 --locale=C.UTF-8 >/dev/null
  as_postgres tee -a "$dir/postgresql.conf" >/dev/null <<CONF

# start-postgres.sh: 2 cores, a machine shared with the server under test
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 512MB
effective_cache_size = 2GB
work_mem = 16MB
maintenance_work_mem = 256MB
max_wal_size = 4GB
checkpoint_completion_target = 0.9
wal_compression = on
random_page_cost = 1.1
effective_io_concurrency = 100
max_parallel_workers_per_gather = 0
jit = off
CONF
fi

if ! as_postgres $bin/pg_ctl -D "$dir" status >/dev/null; then
  as_postgres $bin/pg_ctl -D "$dir" -o "-p $port" -l "$dir/server.log" -w -s start >/dev/null ||
    { tail -20 "$dir/server.log" >&2; exit 1; }
fi
echo "$url"
