#!/usr/bin/env bash
# Runs the tests of local models with the real packages, which nobody else has to install: puts them into DIR, or into a
# temporary folder. No model is fetched: the tests make tiny ones. About 540 MB; what is for graphics cards is left out.
# For Linux on x64.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=${1:-}
if [[ -z $packages ]]; then
  packages=$(mktemp -d)
  trap 'rm -rf "$packages"' EXIT
fi
mkdir -p "$packages"
packages=$(cd "$packages" && pwd)

install() {
  # Their install scripts would fetch parts for graphics cards, or compile.
  npm install --prefix "$packages" --omit=optional --ignore-scripts --no-audit --no-fund --no-package-lock "$@"
}
install @huggingface/transformers@4.3.1 node-llama-cpp@3.22.1 @node-llama-cpp/linux-x64@3.22.1
# What the image library of the former runs on is optional too.
sharp=$(node -p "Object.entries(require('$packages/node_modules/sharp/package.json').optionalDependencies)
  .filter(([name]) => name.endsWith('linux-x64')).map((own) => own.join('@')).join(' ')")
# shellcheck disable=SC2086 # two packages
install $sharp
npx graphql-codegen
MODEL_PACKAGES=$packages npx vitest run test/local-models
