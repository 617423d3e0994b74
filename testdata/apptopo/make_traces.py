"""Prints invented traces in the form in which Jaeger's /api/traces answers.

    python3 testdata/apptopo/make_traces.py > testdata/apptopo/traces.json
"""
import json

# Each request: (service, [requests below it]).
READ = ("gateway", [("timeline", [("posts", []), ("users", [])])])
WRITE = ("gateway", [("compose", [("text", []), ("users", []), ("posts", [("posts", [])])])])


def spans_of(trace, request, parent, spans):
    service, below = request
    span = f"{trace:02x}{len(spans):014x}"
    spans.append({
        "traceID": f"{trace:032x}", "spanID": span, "operationName": f"{service}-call",
        "references": [] if parent is None else [
            {"refType": "CHILD_OF", "traceID": f"{trace:032x}", "spanID": parent}],
        "startTime": 1_700_000_000_000_000 + 1_000 * len(spans), "duration": 900,
        "tags": [{"key": "span.kind", "type": "string", "value": "server"}], "logs": [],
        "processID": service[0:2]})
    for child in below:
        spans_of(trace, child, span, spans)


def trace_of(number, request):
    spans = []
    spans_of(number, request, None, spans)
    names = {"ga": "gateway", "ti": "timeline", "po": "posts", "us": "users", "co": "compose",
             "te": "text"}
    used = {span["processID"] for span in spans}
    return {"traceID": f"{number:032x}", "spans": spans,
            "processes": {key: {"serviceName": names[key], "tags": []} for key in sorted(used)},
            "warnings": None}


print(json.dumps({"data": [trace_of(i, READ if i % 3 else WRITE) for i in range(6)],
                  "total": 0, "limit": 0, "offset": 0, "errors": None}, indent=1))
