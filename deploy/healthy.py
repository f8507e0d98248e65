"""A container's health check, `healthy.py URL`: exit status 0 where the address answers 200."""

import sys
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

WAIT_S = 4


def main(url: str) -> int:
    """Ask once. The standard library alone, so that it costs little every few seconds."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "127.0.0.1", address.port, timeout=WAIT_S)
    try:
        connection.request("GET", address.path)
        answer = connection.getresponse()
        print(answer.status, answer.read(400).decode(errors="replace"))
        return 0 if answer.status == 200 else 1
    except (OSError, HTTPException) as error:
        print(f"{url}: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
