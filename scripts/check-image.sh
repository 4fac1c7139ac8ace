#!/usr/bin/env bash
# Builds the image of the Dockerfile without a container service, starts it, and runs commands in it. Needs root and
# buildah. Where the base image cannot be pulled, a minimal Debian with this checkout's Node stands in for it, which
# needs debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot
buildah() { command buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" "$@"; }
left_out=(VOLUME EXPOSE 'the compose files' 'the networks and limits of a container')

base=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' Dockerfile | sort -u)
if ! buildah pull --quiet "$base" 2>"$work/pull.log"; then
  tail -n 1 "$work/pull.log"
  left_out+=("the base image $base, for which a minimal Debian stood in")
  debootstrap --variant=minbase bookworm "$work/debian" >"$work/debootstrap.log" 2>&1 || {
    tail "$work/debootstrap.log"
    exit 1
  }
  local_files=$work/debian/usr/local
  install -D "$(readlink -f node_modules/.bin/node)" "$local_files/bin/node"
  mkdir -p "$local_files/lib/node_modules"
  # `npm root --global` names the folder beside the first node in PATH, which may contain no npm.
  npm_cli=$(readlink -f "$(command -v npm)")
  cp -a "${npm_cli%/bin/*}" "$local_files/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$local_files/bin/npm"
  chroot "$work/debian" useradd node
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$work/debian" / >/dev/null
  # npm in the image trusts the same authorities as npm here.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    buildah copy --quiet "$container" "$NODE_EXTRA_CA_CERTS" /etc/extra-ca.pem >/dev/null
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem "$container"
  fi
  buildah commit --quiet --rm "$container" "$base" >/dev/null
fi

# Older versions of buildah reject this option of HEALTHCHECK.
sed 's/ --start-interval=[^ ]*//' Dockerfile >"$work/Dockerfile"
buildah build --quiet --pull=never --format docker --file "$work/Dockerfile" --tag summit . >/dev/null

container=$(buildah from --pull=never summit)
mkdir "$work/data"
chown "$(buildah run "$container" -- id -u)" "$work/data"
port=$((20000 + RANDOM % 10000))
in_image() { buildah run --env ACCESS=open --env PORT=$port --volume "$work/data:/data" "$container" -- "$@"; }

# As `CMD`, and the command of `HEALTHCHECK`.
read -ra start <<<"$(sed -n 's/^CMD \[\(.*\)\]$/\1/p' Dockerfile | tr -d '",')"
healthy=$(sed -n 's/^  CMD \["node", "-e", "\(.*\)"\]$/\1/p' Dockerfile)
in_image "${start[@]}" >"$work/server.log" 2>&1 &
server=$!
for ((tries = 0; tries < 100; tries++)); do
  in_image node -e "$healthy" 2>/dev/null && break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.2
done
in_image node -e "$healthy" || {
  echo 'The server in the image is not healthy:'
  cat "$work/server.log"
  exit 1
}
in_image summit export participants
in_image summit check

# The program is the innermost process of the command above.
program=$server
while child=$(pgrep -P "$program" | head -n 1) && [ -n "$child" ]; do program=$child; done
kill -TERM "$program"
wait "$server" || {
  echo 'The server in the image did not stop with code 0:'
  cat "$work/server.log"
  exit 1
}
server=
echo "The image builds, serves, runs commands and stops. Not checked: $(printf '%s; ' "${left_out[@]}")and publishing."
