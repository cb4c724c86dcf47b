#!/usr/bin/env bash
# Builds the image of the Dockerfile and uses it, on Debian 12 as root, without a Docker daemon or a registry of images: buildah
# builds, on a base like the official one, of Debian's packages and the Node.js that npm carries. Leaves nothing behind.
#   scripts/check-image.sh         for the processor of this machine
#   scripts/check-image.sh arm64   for another one, emulated: needs Debian's qemu-user-static and binfmt-support
set -euo pipefail
exec </dev/null
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  echo "check-image: $*" >&2
  exit 1
}

[[ $EUID -eq 0 ]] || fail 'run as root'
# What is mounted in a namespace of its own goes with its last process.
if [[ -z ${CHECK_IMAGE_MOUNTS:-} ]]; then
  unshare --mount true 2>/dev/null || fail 'this root may not mount: a container must be privileged'
  CHECK_IMAGE_MOUNTS=own exec unshare --mount "scripts/${0##*/}" "$@"
fi
for needed in buildah debootstrap; do
  command -v "$needed" >/dev/null || fail "$needed is missing: apt-get install --no-install-recommends buildah debootstrap"
done
host=$(dpkg --print-architecture)
target=${1:-$host}
patience=60 slowly=()
# Emulated, all is slower: the vector of a query too, for which a recall does not wait long.
[[ $target == "$host" ]] || patience=600 slowly=(--env QUERY_VECTOR_DEADLINE_MS=60000)
machine=${target/arm64/aarch64} machine=${machine/amd64/x86_64}
[[ $target == "$host" || -e /proc/sys/fs/binfmt_misc/qemu-$machine ]] ||
  fail "nothing emulates $target: install qemu-user-static and binfmt-support, then update-binfmts --enable qemu-$machine"

name=$(sed -n 's/^FROM .*\(node:[^ ]*\)$/\1/p' Dockerfile | head -1)
[[ $name =~ ^node:([0-9]+)-([a-z]+)-slim$ ]] || fail "the Dockerfile has another base: $name"
version=${BASH_REMATCH[1]} suite=${BASH_REMATCH[2]}

work=$(mktemp -d)
server=
finish() {
  local code=$?
  trap - EXIT
  # What has started the server ends after it, and tidies before.
  [[ -z $server ]] || kill -KILL "$(server_process)" 2>/dev/null || true
  wait
  cd /
  awk -v work="$work" 'index($5, work) == 1 { print $5 }' /proc/self/mountinfo | sort --reverse | xargs -r umount --lazy
  rm -rf --one-file-system "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Half as long as on a disk, and nothing has to be deleted.
if awk '/^MemAvailable:/ { exit $2 < 6 * 1024 * 1024 }' /proc/meminfo; then
  mount -t tmpfs -o mode=700,size=4g check-image "$work"
fi
driver=overlay

# Images and containers in a folder of their own; isolated by no more than chroot, which runs inside containers too.
builder() {
  BUILDAH_ISOLATION=chroot buildah --root "$work/storage" --runroot "$work/run" --storage-driver "$driver" "$@"
}
builder info >/dev/null 2>&1 || driver=vfs

say() {
  printf 'check-image: %s (after %d s)\n' "$*" "$SECONDS"
}

# Makes a base of this name for a processor: Debian, Node.js with npm, and the user "node".
make_base() {
  local arch=$1 image=$2 container root
  container=$(builder from --arch "$target" scratch)
  root=$(builder mount "$container")
  debootstrap --arch="$arch" --variant=minbase "$suite" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 || {
    tail -q -n 5 "$work/debootstrap.log" "$root"/debootstrap/debootstrap.log >&2 || true
    fail "debootstrap made no base for $arch from $mirror"
  }
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  local package=node-linux-${arch/amd64/x64}
  (cd "$work" && npm pack --silent "$package@$version" >"$work/packed" 2>"$work/npm.log") || {
    tail -n 5 "$work/npm.log" >&2
    fail "npm's registry gives no $package@$version"
  }
  tar -xzf "$work/$(cat "$work/packed")" -C "$work" package/bin/node
  install -m 755 "$work/package/bin/node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -a "$(npm root --global)/npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  useradd --root "$root" --uid 1000 --user-group --create-home --shell /bin/bash node
  builder unmount "$container" >/dev/null
  builder config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  builder commit --quiet --rm "$container" "$image" >/dev/null
  say "made a base for $arch"
}

# What npm knows on this machine: where packages are, whom to trust, and what it has fetched already.
npm_volumes() {
  local authorities=/etc/ssl/certs/ca-certificates.crt settings
  for settings in "$(npm config get globalconfig)" "$(npm config get userconfig)"; do
    [[ ! -f $settings ]] || cat "$settings"
  done >"$work/npmrc"
  printf '\nregistry=%s\ncache=/root/.npm\n' "$(npm config get registry)" >>"$work/npmrc"
  if [[ -f $authorities ]]; then
    echo "cafile=$authorities" >>"$work/npmrc"
    volumes+=(--volume "$authorities:$authorities:ro")
  fi
  volumes+=(--volume "$work/npmrc:/root/.npmrc:ro" --volume "$(npm config get cache):/root/.npm")
}

# Prints the server's process: the last of the chain that buildah has started.
server_process() {
  local process=$server child
  while child=$(cat /proc/"$process"/task/*/children 2>/dev/null | awk '{ print $1; exit }') && [[ -n $child ]]; do process=$child; done
  echo "$process"
}

# The health check of the image, as an engine of containers runs it.
health_check() {
  builder run --env "PORT=$port" "$container" -- /bin/sh -c "$health"
}

# Waits until the server is ready, stores a turn and finds it again.
remember_and_recall() {
  node --input-type=module - "$port" "$secret" "$patience" <<'JS'
const [port, secret, patience] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const until = async (what, work) => {
  const end = Date.now() + patience * 1000;
  for (let last; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    try {
      const answer = await work();
      if (answer.ok) return answer;
      last = JSON.stringify(answer.said);
    } catch (error) {
      last = error.cause?.message ?? error.message;
    }
    if (Date.now() > end) throw new Error(`${what} failed for ${patience} s: ${last}`);
  }
};
const graphql = async (query) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` };
  const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
};
await until('/readyz', async () => {
  const response = await fetch(`${origin}/readyz`);
  return { ok: response.ok, said: await response.text() };
});
console.log('/readyz says that the server is ready');
const text = 'Marta is vegetarian.';
await until('remember', async () => {
  const said = await graphql(`mutation { remember(input: { userId: "marta", turns: [{ text: "${text}", idempotencyKey: "1" }] }) {
    ... on RememberPayload { turns { status } } ... on Error { message } } }`);
  return { ok: said.data?.remember?.turns?.length === 1, said };
});
console.log('remember stored a turn');
await until('recall', async () => {
  const said = await graphql(`{ recall(input: { userId: "marta", query: "What does Marta eat?", first: 1 }) {
    ... on RecallPayload { hits { ... on TurnHit { turn { text } } explain { vectorRank } } } ... on Error { message } } }`);
  const [hit] = said.data?.recall?.hits ?? [];
  return { ok: hit?.turn?.text === text && hit.explain.vectorRank !== null, said };
});
console.log('recall found it by its meaning');
JS
}

mirror=$(scripts/debian-mirror.sh)
make_base "$target" "docker.io/library/$name"
cp Dockerfile "$work/Dockerfile"
if [[ $target != "$host" ]]; then
  # Debian's buildah builds all stages for one processor. So the base of the stage that builds says that it is for the other one.
  make_base "$host" localhost/building
  sed -i 's#^FROM --platform=$BUILDPLATFORM [^ ]*#FROM localhost/building#' "$work/Dockerfile"
  grep -q '^FROM localhost/building AS' "$work/Dockerfile" || fail 'no stage of the Dockerfile builds on its own processor'
fi

volumes=()
npm_volumes
mkdir -p "$(npm config get cache)"
builder bud --pull-never --network host --format docker --platform "linux/$target" "${volumes[@]}" \
  --file "$work/Dockerfile" --tag mnemograph . >"$work/build.log" 2>&1 || {
  tail -n 40 "$work/build.log" >&2
  fail 'the image was not built'
}
say "built the image for $target"

mapfile -d '' -t settings < <(builder inspect --type image mnemograph | node -e '
  const { config, architecture } = JSON.parse(require("node:fs").readFileSync(0, "utf8")).Docker;
  for (const setting of [architecture, config.User, config.Healthcheck.Test[1], ...config.Cmd]) process.stdout.write(`${setting}\0`);')
(( ${#settings[@]} > 3 )) || fail 'the image has no user, health check or command'
[[ ${settings[0]} == "$target" ]] || fail "the image is for ${settings[0]}"
user=${settings[1]} health=${settings[2]} command=("${settings[@]:3}")
container=$(builder from --pull-never --arch "$target" mnemograph)
port=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')

ran=$(builder run "$container" -- node -p '`${process.arch}, Node.js ${process.version}`')
uid=$(builder run "$container" -- id -u "$user")
[[ $uid -ne 0 ]] || fail 'the image runs as root'
secret=$(builder run "$container" -- npm run --silent keys -- create check | grep -o 'mnemo_[A-Za-z0-9_-]*')
[[ -n $secret ]] || fail 'no key was created'
say "created a key on $ran"

builder run --env "PORT=$port" "${slowly[@]}" "$container" -- "${command[@]}" >"$work/server.log" 2>&1 &
server=$!
remember_and_recall || {
  tail -n 40 "$work/server.log" >&2
  fail 'the server of the image does not work'
}
process=$(server_process)
[[ $(stat -c %u "/proc/$process") -eq $uid ]] || fail "the server does not run as the user $user"
health_check || fail 'the health check fails while the server runs'
say "used it as the user $user, and its health check passed"

kill -TERM "$process"
for (( wait = 0; wait < patience * 10; wait += 1 )); do [[ -d /proc/$process ]] && sleep 0.1 || break; done
[[ ! -d /proc/$process ]] || fail 'the server does not stop'
wait "$server" || fail "the server ended with code $?"
server=
if health_check 2>/dev/null; then fail 'the health check passes while no server runs'; fi
say 'stopped it, and its health check failed'
