#!/usr/bin/env bash
# Installs PostgreSQL 15 (Debian 12's own) and pgvector (built from Debian's source package, which
# bookworm does not carry). Run as root; quick when both are there already.
set -euo pipefail

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PGVECTOR_VERSION=0.8.0
PG_BIN=/usr/lib/postgresql/15/bin
CONTROL=/usr/share/postgresql/15/extension/vector.control

installed() {
  [[ -x $PG_BIN/postgres && -f $CONTROL ]] && grep -q "default_version = '$PGVECTOR_VERSION'" "$CONTROL"
}

if installed; then
  echo "PostgreSQL 15 and pgvector $PGVECTOR_VERSION are installed"
  exit 0
fi
[[ $EUID -eq 0 ]] || { echo "run as root" >&2; exit 1; }
export DEBIAN_FRONTEND=noninteractive

# A failing source of something else (a vendor's repository) must not stop us.
apt-get update -qq || true
# Debian's package would otherwise start a "main" cluster on port 5432.
if [[ ! -x $PG_BIN/postgres ]]; then
  mkdir -p /etc/postgresql-common
  [[ -f /etc/postgresql-common/createcluster.conf ]] ||
    echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
fi
apt-get install -y -qq --no-install-recommends \
  postgresql-15 postgresql-server-dev-15 build-essential dpkg-dev ca-certificates >/dev/null

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mirror=$("$scripts/debian-mirror.sh")

# Sources of trixie live in a private apt state: the system's own lists, and so its upgrades, stay
# on bookworm.
mkdir -p "$work"/lists/partial "$work"/cache/archives/partial "$work"/parts "$work"/src
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$work/sources.list"
chmod -R a+rX "$work"
private_apt=(-o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts="$work/parts"
  -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
apt-get "${private_apt[@]}" update -qq
(cd "$work/src" && apt-get "${private_apt[@]}" source -qq "pgvector=$PGVECTOR_VERSION-*" 2>/dev/null ||
  apt-get "${private_apt[@]}" source -qq pgvector)

cd "$work"/src/pgvector-*/
# Without OPTFLAGS pgvector compiles for this very processor; images move between machines.
make -s -j2 OPTFLAGS="" PG_CONFIG=$PG_BIN/pg_config with_llvm=no
make -s install PG_CONFIG=$PG_BIN/pg_config with_llvm=no
installed || { echo "pgvector $PGVECTOR_VERSION did not install" >&2; exit 1; }
echo "installed PostgreSQL 15 and pgvector $PGVECTOR_VERSION"
