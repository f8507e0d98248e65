"""Asks a gateway on the port named what comes in, one JSON object a line; used by cache_pairs.py."""

import http.client
import json
import sys
import time


def main() -> None:
    connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
    for line in sys.stdin:
        begun = time.perf_counter()
        connection.request("POST", "/api/chat", line.strip().encode(), {"Content-Type": "application/json"})
        body = json.loads(connection.getresponse().read())
        took = (time.perf_counter() - begun) * 1000
        print(json.dumps({"status": body.get("status"), "level": body.get("cache_level"), "ms": took}), flush=True)


main()
