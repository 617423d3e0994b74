#!/usr/bin/env python3
"""A recommender of its own: the most, or the median and a half, of what was used.

Berth starts it, writes a line of JSON to its standard input and reads one from its standard output,
over and over; docs/external.md has the protocol. It ends when its input does.
"""
import json
import math
import statistics
import sys

services = {}  # What is known of each, by its id.


def start(begun):
    """Berth gives back the last state it was told, so nothing is lost when this is started anew."""
    return {**begun, "used": json.loads(begun["state"]) if begun["state"] else []}


def limit(service, window):
    service["used"] = (service["used"] + [max(window["samples"])])[-288:]
    if service["resource"] == "memory":
        target = 1.2 * max(service["used"])
        why = "the most of the last day's windows, and a fifth"
    else:
        target = 1.5 * statistics.median(service["used"])
        why = "the median of the last day's windows, and a half"
    return {"target": math.ceil(target), "why": why,
            "state": json.dumps([round(used) for used in service["used"][-12:]])}


def replicas(service, load):
    aim = service["target"] * service["reference_milli"]
    return {"count": math.ceil(load["cpu_milli"] / aim) + 1, "why": "what it takes, and one more"}


for line in sys.stdin:
    asked = json.loads(line)
    if "berth" in asked:
        answer = {"berth": 1}
    elif "start" in asked:
        services[asked["id"]] = start(asked["start"])
        answer = {"id": asked["id"]}
    elif "window" in asked:
        answer = {"id": asked["id"], **limit(services[asked["id"]], asked["window"])}
    elif "load" in asked:
        answer = {"id": asked["id"], **replicas(services[asked["id"]], asked["load"])}
    else:
        answer = {"id": asked["id"]}  # Nothing to say, as of an out-of-memory kill: all stays.
    print(json.dumps(answer), flush=True)
