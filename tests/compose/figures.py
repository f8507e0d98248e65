"""What a deployment weighs: the image, each container's memory against its bound, and how long the start took."""

import json
from datetime import datetime

from tests.compose.installation import Container, Installation, docker


def size_and_start(installation: Installation) -> str:
    """To be asked at once: docker remembers only the last few health checks."""
    containers = installation.containers()
    return f"image size        {_image_size(containers)}\nstart             {_start_s(containers):.0f} s"


def memory(installation: Installation) -> str:
    running = [one for one in installation.containers() if one.details["State"]["Running"]]
    ids = [one.id for one in running]
    stats = [json.loads(line) for line in docker("stats", "--no-stream", "--format", "{{json .}}", *ids).splitlines()]
    used = {one["ID"]: one["MemUsage"] for one in stats}
    return "\n".join(f"memory            {one.service:<18} {_of(used, one.id)}" for one in running)


def _image_size(containers: list[Container]) -> str:
    image = next(one.details["Image"] for one in containers if one.service == "api-gateway")
    return f"{int(docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6:.0f} MB"


def _start_s(containers: list[Container]) -> float:
    """From the first container's making to the first health check that passed on nginx-proxy, the last one to start."""
    first = min(_moment(one.details["Created"]) for one in containers)
    last = next(one for one in containers if one.service == "nginx-proxy")
    passed = [check["End"] for check in last.details["State"]["Health"]["Log"] if check["ExitCode"] == 0]
    return (_moment(min(passed)) - first).total_seconds()


def _moment(text: str) -> datetime:
    """Docker's nanoseconds are more than datetime reads."""
    return datetime.fromisoformat(text[:19] + "+00:00")


def _of(used: dict[str, str], container: str) -> str:
    return next(amount for short, amount in used.items() if container.startswith(short))
