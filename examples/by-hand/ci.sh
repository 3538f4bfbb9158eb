#!/usr/bin/env bash
# A test of a bot as a pipeline runs it. Build once before: npm ci && npm run build
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
data=$(mktemp -d)

bourse="$folder/../../dist/main/bourse.js"
node "$bourse" start --data "$data" --port 0 --operator-port 0 --no-simulate --seed ci >/dev/null &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" || true; rm -rf "$data"' EXIT

# The file is written, whole, once the exchange takes orders.
for _ in $(seq 600); do
  [ -f "$data/demo.json" ] && break
  kill -0 "$server" # It ended: set -e ends this, too.
  sleep 0.1
done

# Your bot goes here.
bash "$folder/basics.sh" "$data/demo.json"
