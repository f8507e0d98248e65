"""The running containers, seen from outside: compose and docker on the command line."""

import json
import os
import shlex
import subprocess
import time
from dataclasses import dataclass
from typing import Any

PATIENCE_S = 120


@dataclass(frozen=True)
class Container:
    """What `docker inspect` says of one container."""

    service: str
    details: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.details["Id"])

    @property
    def healthy(self) -> bool:
        return bool(self.details["State"].get("Health", {}).get("Status") == "healthy")

    @property
    def restarts(self) -> int:
        return int(self.details["RestartCount"])

    @property
    def networks(self) -> set[str]:
        return set(self.details["NetworkSettings"]["Networks"])

    @property
    def published(self) -> list[str]:
        """The ports of the host that lead here."""
        ports = self.details["NetworkSettings"]["Ports"] or {}
        return sorted({one["HostPort"] for bound in ports.values() for one in bound or ()})


class Installation:
    """The project that COMPOSE names."""

    def __init__(self) -> None:
        self._compose = shlex.split(os.environ["COMPOSE"])

    def compose(self, *arguments: str) -> str:
        return _output([*self._compose, *arguments])

    def inside(self, service: str, *command: str) -> "subprocess.CompletedProcess[str]":
        """A command in a service's container, whatever its exit status."""
        return subprocess.run(
            [*self._compose, "exec", "-T", service, *command], capture_output=True, text=True, check=False
        )

    def containers(self) -> list[Container]:
        ids = self.compose("ps", "--all", "--quiet").split()
        found = json.loads(docker("inspect", *ids))
        label = "com.docker.compose.service"
        return sorted((Container(one["Config"]["Labels"][label], one) for one in found), key=lambda one: one.service)

    def of(self, service: str) -> list[Container]:
        return [one for one in self.containers() if one.service == service]

    def neighbours(self, service: str) -> set[str]:
        """The services that share a network with this one."""
        everyone = self.containers()
        own = {name for one in everyone if one.service == service for name in one.networks}
        return {one.service for one in everyone if own & one.networks} - {service}

    def scale(self, service: str, replicas: int) -> None:
        self.compose(
            "up", "--detach", "--no-build", "--no-deps", "--no-recreate", "--wait",
            "--scale", f"{service}={replicas}", service,
        )  # fmt: skip

    def kill(self, service: str) -> None:
        """SIGKILL from outside, by a container that sees the host's processes: docker's own kill would count as a wish,
        and nothing be restarted; and who runs this need not be root."""
        victim = self.of(service)[0]
        strike = "import os, sys; os.kill(int(sys.argv[1]), 9)"
        docker(
            "run", "--rm", "--pid", "host", "--network", "none", "--user", "0", "--entrypoint", "python",
            self.of("api-gateway")[0].details["Image"], "-c", strike, str(victim.details["State"]["Pid"]),
        )  # fmt: skip

    def up(self, service: str) -> None:
        """Start what was stopped, and wait until it is healthy."""
        self.compose("up", "--detach", "--no-build", "--no-deps", "--no-recreate", "--wait", service)

    def seconds_until_back(self, service: str, restarts: int) -> float:
        """Until the service was restarted more than `restarts` times and is healthy again."""
        began = time.monotonic()
        while time.monotonic() < began + PATIENCE_S:
            container = self.of(service)[0]
            if container.restarts > restarts and container.healthy:
                return time.monotonic() - began
            time.sleep(0.5)
        raise AssertionError(f"{service} is not back after {PATIENCE_S} s")


def docker(*arguments: str) -> str:
    return _output(["docker", *arguments])


def _output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{shlex.join(command)}: {done.stderr[-2000:]}"
    return done.stdout
