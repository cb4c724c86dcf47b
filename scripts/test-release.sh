#!/usr/bin/env bash
# The tests that take too long for each change, before a release: more than an hour on two cores, as root, since it builds the
# image. Run "npm ci" before.
#   scripts/test-release.sh postgresql://user@host:port/name
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
postgres=${1:?the URL of a PostgreSQL server with pgvector, whose user may create databases}
export CHROMIUM=${CHROMIUM:-/usr/bin/chromium} MNEMOGRAPH_REQUIRE_BROWSER=1

npm run test:long
npm run test:browser
npm run test:fuzz
TEST_DATABASE_URL=$postgres npx vitest run --project standard --project long
npm run test:crash -- --database-url "$postgres"
npm run test:crash
npm run test:faults
npm run test:hostile
npm run test:client
npm run test:import
npm run test:packed
npm run test:packed -- --node 22
scripts/check-image.sh
npm run bench:mcp
npm run bench:load -- --database-url "$postgres"
npm run bench:console
