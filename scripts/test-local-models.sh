#!/usr/bin/env bash
# Runs the tests of local models with the real packages, which nobody else has to install: puts them into DIR, or into a
# temporary folder. No model is fetched: the tests make tiny ones. About 1.2 GB, most of it for graphics cards.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=${1:-}
if [[ -z $packages ]]; then
  packages=$(mktemp -d)
  trap 'rm -rf "$packages"' EXIT
fi
mkdir -p "$packages"
packages=$(cd "$packages" && pwd)

# Their install scripts would fetch parts for graphics cards, or compile.
npm install --prefix "$packages" --ignore-scripts --no-audit --no-fund --no-package-lock \
  @huggingface/transformers@4.3.1 node-llama-cpp@3.22.1
npx graphql-codegen
MODEL_PACKAGES=$packages npx vitest run test/local-models
