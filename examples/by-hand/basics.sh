#!/usr/bin/env bash
# Signed requests with curl and openssl: clock, order entry that may be repeated, limits.
# Use: bash examples/by-hand/basics.sh [data/demo.json]
set -euo pipefail
demo=${1:-data/demo.json}
of() { node -p "const demo = JSON.parse(require('fs').readFileSync('$demo')); demo.$1"; }
base=$(of base_url)
key=$(of accounts[0].apiKey)
secret=$(of accounts[0].secretKey)
member() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
now() { node -p 'Date.now()'; }

# How far the exchange's clock is ahead of ours, in milliseconds.
offset=$(($(curl -s "$base/api/v3/time" | member serverTime) - $(now)))

# METHOD PATH QUERY: prints the answer. 0 done, 1 refused, 2 unknown: it may have happened.
call() {
  local query="${3:+$3&}recvWindow=5000&timestamp=$(($(now) + offset))" signature answer status seconds
  signature=$(printf %s "$query" | openssl dgst -sha256 -hmac "$secret" -r | cut -d' ' -f1)
  answer=$(curl -s --max-time 12 -X "$1" -H "X-SVC-APIKEY: $key" -w '\n%{http_code} %header{retry-after}' \
    "$base$2?$query&signature=$signature") || return 2
  read -r status seconds <<<"${answer##*$'\n'}"
  printf '%s\n' "${answer%$'\n'*}"
  case $status in
    2??) return 0 ;;
    5??) return 2 ;;
    429 | 418) sleep "${seconds:-10}"; return 2 ;; # Sends nothing before the time is over: impatience leads to a ban.
    *) return 1 ;;
  esac
}

# As call, up to three times while the outcome is unknown. Only for requests that may be sent twice. A refusal after a
# try without an answer leaves open what became of that try: 2 as well.
repeat() {
  local result tries
  for tries in 1 2 3; do
    call "$@" && return 0 || result=$?
    [ "$result" = 2 ] || return "$((tries == 1 ? result : 2))"
    sleep 1
  done
  return 2
}

# The name makes it safe to send the order again: the second answer is that of the first order.
name="sh-$(now)"
order="symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=0.001&price=20000&newClientOrderId=$name"
repeat POST /api/v3/order "$order"
repeat POST /api/v3/order "$order"
repeat GET /api/v3/openOrders 'symbol=BTCUSDT'
repeat DELETE /api/v3/order "symbol=BTCUSDT&origClientOrderId=$name"
