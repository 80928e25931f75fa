#!/usr/bin/env bash
# Starts a backend, sends it a span, asks for it, and scripts a fault.
# Wants curl and jq, and otlptest on the PATH or as $OTLPTEST_BIN.
set -euo pipefail
dir=$(mktemp -d)
"${OTLPTEST_BIN:-otlptest}" serve --json --log-level warn \
	--grpc 127.0.0.1:0 --http 127.0.0.1:0 --api 127.0.0.1:0 >"$dir/addresses" &
backend=$!
trap 'kill "$backend" 2>/dev/null || true; wait "$backend" || true; rm -rf "$dir"' EXIT

# Wait: the line with the addresses comes when it is ready.
until [[ -s $dir/addresses ]]; do
	kill -0 "$backend" # or fail, if it has ended
	sleep 0.05
done
otlp=$(jq -r .http "$dir/addresses")
api=$(jq -r .api "$dir/addresses")/api/v1

# send exports one span as OTLP JSON. curl waits as long as Retry-After says.
send() {
	curl -sS --fail --retry 3 "$otlp/v1/traces" -H 'Content-Type: application/json' -d '{"resourceSpans": [{
		"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
		"scopeSpans": [{"spans": [{
			"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174",
			"name": "charge", "kind": 2,
			"startTimeUnixNano": "1767225600000000000", "endTimeUnixNano": "1767225600012000000",
			"attributes": [{"key": "payment.cents", "value": {"intValue": "1200"}}]
		}]}]
	}]}' >/dev/null
}

# Assert: wait until one span matches. Without it curl fails, with the reason.
send
curl -sS -G --fail-with-body "$api/spans" -d wait=1 --data-urlencode 'q=service="shop" name="charge"' |
	jq -e '.items[0].attributes["payment.cents"] == 1200' >/dev/null
echo "the charge is traced"

# Reset: no data, no rules.
curl -sS --fail-with-body -X POST "$api/reset"

# Fault: the next export of traces is told to come again in a second.
curl -sS --fail-with-body "$api/faults" -d 'traces: throttle 1s' >/dev/null
send 2>/dev/null
curl -sS --fail-with-body "$api/report?format=json" |
	jq -e '.batches[0].attempts | map(.status.code) == ["UNAVAILABLE", "OK"]' >/dev/null
curl -sS "$api/report?format=text"
echo "the throttled export was sent again"
