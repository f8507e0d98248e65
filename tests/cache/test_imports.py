"""An operator's import is seen at the next question: what was answered from the old rows is not given again."""

import asyncio
from pathlib import Path

import redis.asyncio as redis

from core.adapters.vectors.redis_cache import redis_link
from core.shared.cache_names import VERSIONS, cache_folder, socket_of
from core.shared.clock import SystemClock
from main import main
from tests.cache.world import up
from tests.mcp_tools.demo_file import copy_to

EXAMPLE = Path(__file__).parents[2] / "examples" / "import" / "insurance.csv"


async def _outdated(socket: Path) -> list[bytes | str]:
    async with redis.Redis.from_url(f"unix://{socket}", protocol=2) as client:
        return list(await client.hgetall(VERSIONS))


async def test_an_import_outdates_its_kind_in_the_running_services_cache(tmp_path: Path) -> None:
    copy_to(tmp_path).rename(tmp_path / "smartvoyage.db")
    config = tmp_path / "config.yaml"
    config.write_text(f"agents: [{{name: A, a2a_url: 'http://127.0.0.1:1'}}]\ndata: {tmp_path}\n", "utf-8")
    socket = socket_of(cache_folder(tmp_path))
    async with up(redis_link("", cache_folder(tmp_path), SystemClock())):
        for more, kinds in ((["--dry-run"], []), ([], [b"insurance"])):
            command = ["--config", str(config), "import", "insurance", str(EXAMPLE), *more]
            assert await asyncio.to_thread(main, command) == 0
            assert await _outdated(socket) == kinds
