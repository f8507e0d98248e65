"""What a fresh deployment must show from outside: answers, closed doors, replicas, and its own return after a kill."""

import itertools
import re
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

from tests.compose.figures import memory, size_and_start
from tests.compose.installation import Installation, docker
from tests.compose.visitor import Answer, Visitor

QUESTION = "帮我查明天北京到上海的机票，顺便看看上海天气，再推荐几个景点"
# As many wishes, of other cities: no cache knows the answer yet.
FRESH = "帮我查{}{}到{}的机票，顺便看看{}天气，再推荐几个景点"
DAYS = ("后天", "大后天")
CITIES = ("北京", "上海", "广州", "成都", "西安", "昆明")
INTENTS = {"query flight tickets", "query weather", "attraction"}
PUBLISHED = {"nginx-proxy": ["8888"]}
ONE_SHOT = "migrate"
OPEN_NETWORKS = {"edge", "outbound"}
SCALED = ("api-gateway", "a2a-ticket", "mcp-ticket")
BEHIND = {"nginx-proxy": "8888", "a2a-proxy": "6002", "mcp-proxy": "5002"}  # the port of what is scaled, by proxy
# On `outbound` containers do not see one another; everywhere else they see whoever shares a network with them.
NEIGHBOURS = {
    "nginx-proxy": {"api-gateway"},
    "a2a-proxy": {"api-gateway", "a2a-weather", "a2a-ticket", "a2a-trip"},
    "mcp-proxy": {"a2a-weather", "a2a-ticket", "a2a-trip", "mcp-weather", "mcp-ticket", "mcp-trip"},
}


class Site:
    """The installation with somebody who may use it and somebody who may not."""

    def __init__(self) -> None:
        self.installation = Installation()
        self.traveller = Visitor(self._token("traveller"))
        self.stranger = Visitor()
        self._journeys = itertools.product(DAYS, itertools.permutations(CITIES, 2))

    def fresh_question(self) -> str:
        """One that nobody has asked yet."""
        day, (here, there) = next(self._journeys)
        return FRESH.format(day, here, there, there)

    def _token(self, user: str) -> str:
        done = self.installation.inside("api-gateway", "python", "main.py", "token", user)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def only_8888_is_published(site: Site) -> str:
    found = {one.service: one.published for one in site.installation.containers() if one.published}
    assert found == PUBLISHED, found
    return "nginx-proxy alone"


def everything_is_healthy_and_the_migration_has_ended(site: Site) -> str:
    containers = site.installation.containers()
    ended = [one for one in containers if one.service == ONE_SHOT]
    assert [one.details["State"]["ExitCode"] for one in ended] == [0]
    began = {one.service: one.details["State"]["StartedAt"] for one in containers}
    over = ended[0].details["State"]["FinishedAt"]
    early = [name for name in began if name.startswith("mcp-") and name != "mcp-proxy" and began[name] < over]
    assert early == [], f"started before the tables were there: {early}"
    unwell = [one.service for one in containers if one.service != ONE_SHOT and not one.healthy]
    assert unwell == [], unwell
    return f"{len(containers) - 1} containers"


def our_containers_are_confined(site: Site) -> str:
    loose = []
    ours = [one for one in site.installation.containers() if "SMARTVOYAGE_DATA" in str(one.details["Config"]["Env"])]
    for one in ours:
        host = one.details["HostConfig"]
        confined = host["ReadonlyRootfs"] and host["CapDrop"] == ["ALL"] and host["Memory"]
        if not confined or one.details["Config"]["User"] in ("", "root", "0"):
            loose.append(one.service)
    assert len(ours) == 9, [one.service for one in ours]
    assert loose == [], loose
    return "no root, no capability, no writing, a bound of memory"


def inner_networks_have_no_way_out(site: Site) -> str:
    project = site.installation.containers()[0].details["Config"]["Labels"]["com.docker.compose.project"]
    label = f"label=com.docker.compose.project={project}"
    names = docker("network", "ls", "--filter", label, "--format", "{{.Name}}").split()
    inner = {name.removeprefix(f"{project}_") for name in names if _is_internal(name)}
    assert inner == {name.removeprefix(f"{project}_") for name in names} - OPEN_NETWORKS
    seen = {name: site.installation.neighbours(name) for name in NEIGHBOURS}
    assert seen == NEIGHBOURS, seen
    return ", ".join(sorted(inner))


def _is_internal(network: str) -> bool:
    return docker("network", "inspect", "--format", "{{.Internal}}", network).strip() == "true"


def nobody_comes_in_without_a_token(site: Site) -> str:
    for visitor in (site.stranger, Visitor("nonsense"), Visitor("eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.")):
        for method, path in (("POST", "/api/chat"), ("POST", "/api/chat/stream"), ("GET", "/api/agents")):
            answer = visitor.call(method, path, {"query": QUESTION} if method == "POST" else None)
            assert answer.status == 401, f"{path}: {answer.status}"
            assert answer.json["code"] == "unauthenticated"
    assert site.stranger.call("GET", "/health/ready").status == 200
    answer = site.traveller.call("POST", "/api/chat", {"query": QUESTION, "user_id": "somebody-else"})
    assert answer.status == 403, answer.status
    return "401 without, 403 for another user"


def several_wishes_get_one_answer(site: Site) -> str:
    reply = site.traveller.ask(QUESTION, session_id="several")
    _complete(reply)
    return str(reply["reply"]).replace("\n", " ")[:120]


def _complete(reply: Any) -> None:
    assert reply["status"] == "answered", reply["status"]
    assert set(reply["intents"]) == INTENTS, reply["intents"]
    assert [step["status"] for step in reply["steps"]] == ["ok"] * 3, reply["steps"]
    rows = {step["intent"]: len((step["data"] or {}).get("rows", ())) for step in reply["steps"]}
    assert rows["query flight tickets"] > 0, rows
    assert rows["query weather"] > 0, rows


def a_stream_flows_through(site: Site) -> str:
    heard = list(site.traveller.listen(site.fresh_question(), session_id="stream"))
    names = [event.name for event in heard]
    assert names[0] == "meta", names
    assert [name for name in names if name in ("done", "error")] == ["done"]
    assert names[-1] == "done"
    assert [event.id for event in heard] == list(range(1, len(heard) + 1))
    reply = heard[-1].data
    _complete(reply)
    assert "".join(event.data["text"] for event in heard if event.name == "delta") == reply["reply"]
    return f"{len(heard)} events, first after {heard[0].after_s:.3f} s, done after {heard[-1].after_s:.3f} s"


def what_was_answered_is_answered_again_from_redis(site: Site) -> str:
    reply = site.traveller.ask(QUESTION, session_id="again")
    assert (reply["cached"], reply["cache_level"]) == (True, "redis"), (reply["cached"], reply["cache_level"])
    stats = site.traveller.call("GET", "/api/cache/stats").json
    return f"cached; {stats}"


def what_nginx_refuses_is_said_in_the_contracts_form(site: Site) -> str:
    _is_problem(site.traveller.call("POST", "/api/chat", b'{"query":"' + b"x" * 70_000 + b'"}'), 413, "too_large")
    _is_problem(site.traveller.call("GET", "/" + "x" * 40_000), 422, "invalid_request")
    site.installation.compose("stop", "api-gateway")
    away = site.traveller.call("GET", "/api/agents")
    site.installation.up("api-gateway")
    _is_problem(away, 503, "upstream_unavailable")
    assert away.headers["retry-after"] == "5"
    _eventually(lambda: _ask_afresh(site))
    return "413, 422, and 503 while the gateway is away"


def _is_problem(answer: Answer, status: int, code: str) -> None:
    assert answer.status == status, (answer.status, answer.text[:200])
    assert answer.headers["content-type"] == "application/problem+json", answer.headers
    assert (answer.json["status"], answer.json["code"]) == (status, code)


def an_order_is_offered_placed_and_kept(site: Site) -> str:
    site.traveller.ask("帮我订一张明天北京到上海的高铁票，二等座", session_id="order")
    asked = site.traveller.ask("第一个", session_id="order")
    assert asked["status"] == "confirmation_required", asked["reply"]
    assert len(asked["offers"]) == 1, asked["offers"]
    placed = site.traveller.ask("确认", session_id="order")
    assert [order["status"] for order in placed["orders"]] == ["confirmed"], placed["reply"]
    mine = site.traveller.call("GET", "/api/orders").json["orders"]
    assert placed["orders"][0]["order_id"] in [order["order_id"] for order in mine]
    return str(placed["orders"][0]["total_price"])


def an_agent_asks_another(site: Site) -> str:
    reply = site.traveller.ask("三亚不下雨的那几天的一日游", session_id="dry days")
    assert [step["agent"] for step in reply["steps"]] == ["TripAssistant"], reply["steps"]
    trace = site.traveller.call("GET", f"/api/traces/{reply['trace_id']}")
    assert "WeatherQueryAssistant" in trace.text, trace.text[:1500]
    return str(reply["reply"]).split("\n", 1)[0][:120]


def what_is_killed_comes_back(site: Site) -> str:
    told = []
    for service in ("a2a-ticket", "api-gateway", "mcp-ticket"):
        before = site.installation.of(service)[0].restarts
        site.installation.kill(service)
        told.append(f"{service} {site.installation.seconds_until_back(service, before):.0f} s")
    _eventually(lambda: _ask_afresh(site))
    return ", ".join(told)


def replicas_share_the_work(site: Site) -> str:
    for service in SCALED:
        site.installation.scale(service, 2)
        assert len(site.installation.of(service)) == 2
    _eventually(lambda: _both_replicas_answer(site))
    for service in SCALED:
        site.installation.scale(service, 1)
    _eventually(lambda: _ask_afresh(site))
    return f"two replicas of {', '.join(SCALED)}"


def _both_replicas_answer(site: Site) -> None:
    for _ in range(4):
        _ask_afresh(site)
    counts = {name: len(_served_by(site, name, port)) for name, port in BEHIND.items()}
    assert all(count >= 2 for count in counts.values()), counts


def _ask_afresh(site: Site) -> None:
    reply = site.traveller.ask(site.fresh_question(), session_id=uuid.uuid4().hex)
    assert not reply["cached"]
    _complete(reply)


def _served_by(site: Site, proxy: str, port: str) -> set[str]:
    """The addresses that answered what this proxy passed on of late."""
    log = site.installation.compose("logs", "--no-log-prefix", "--tail", "60", proxy)
    return set(re.findall(rf"POST .* 200 .*to=(\S+:{port})\b", log))


def _eventually(check: Callable[[], None], seconds: float = 30) -> None:
    """What was just restarted is noticed within seconds; the last failure counts."""
    until = time.monotonic() + seconds
    while True:
        try:
            return check()
        except (AssertionError, OSError):
            if time.monotonic() > until:
                raise
        time.sleep(1)


CHECKS: tuple[Callable[[Site], str], ...] = (
    everything_is_healthy_and_the_migration_has_ended,
    only_8888_is_published,
    our_containers_are_confined,
    inner_networks_have_no_way_out,
    nobody_comes_in_without_a_token,
    several_wishes_get_one_answer,
    a_stream_flows_through,
    what_was_answered_is_answered_again_from_redis,
    what_nginx_refuses_is_said_in_the_contracts_form,
    an_order_is_offered_placed_and_kept,
    an_agent_asks_another,
    what_is_killed_comes_back,
    replicas_share_the_work,
)


def main() -> int:
    site = Site()
    failed = 0
    print(size_and_start(site.installation), flush=True)
    for check in CHECKS:
        name = check.__name__.replace("_", " ")
        try:
            print(f"ok    {name}: {check(site)}", flush=True)
        except (AssertionError, OSError, KeyError, ValueError) as error:
            failed += 1
            print(f"FAIL  {name}: {type(error).__name__}: {str(error)[:1500]}", flush=True)
    print(memory(site.installation))
    if failed:
        print(site.installation.compose("logs", "--tail", "20"), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
