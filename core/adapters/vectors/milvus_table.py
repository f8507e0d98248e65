"""The collection in Milvus that holds the second level's vectors; everything here runs in Milvus's thread."""

import base64
import logging
import zlib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.ports.cache import Kept, Near, Vector

CONNECT_S, ASK_S, MAKE_S = 5.0, 2.0, 20.0
"""What Milvus itself is given for a call. Questions wait less."""

FORM = 1
LONGEST_TEXT = 65_535
FLUSH_AFTER = 50
"""Milvus Lite looks at every unflushed row by itself: 0.1 ms each, and a flush takes 35."""

_IDLE = {"grpc.keepalive_time_ms": 300_000}
"""Pings every 10 s, the client's usual way, are taken for an attack by a server that keeps gRPC's own limits."""

_FIELDS = ("id", "vector", "meaning", "versions", "cause", "payload", "made_at", "expire_at")
_TEXTS = {"meaning": 64, "versions": 512, "cause": 64, "payload": LONGEST_TEXT}


class WrongShape(Exception):
    """There is a collection of our name that is not ours."""


class MilvusTable:
    """One client, one collection. `folder`: the embedded form, begun empty: its answers died with the process."""

    def __init__(self, uri: str, token: str, folder: Path | None, embedder: str, dimension: int) -> None:
        for name in ("pymilvus", "grpc._server"):  # they log failures with their stacks, one of them at every start
            logging.getLogger(name).setLevel(logging.CRITICAL)
        from pymilvus import MilvusClient  # type: ignore[import-untyped]

        self._folder = folder
        if folder is not None:
            folder.parent.mkdir(parents=True, exist_ok=True)
        address = str(folder) if folder is not None else uri
        self._client: Any = MilvusClient(address, token=token, timeout=CONNECT_S, grpc_options=_IDLE)
        self._name = f"smartvoyage_cache_{FORM}_{sha256(embedder.encode()).hexdigest()[:8]}"
        self._unflushed = 0
        self._open(dimension)

    def nearest(self, vector: Vector, now: float, same: tuple[str, str] | None) -> Near | None:
        alive = f"expire_at > {_ms(now)} and made_at <= {_ms(now)}"
        if same is not None:
            alive += f' and meaning == "{same[0]}" and versions == "{same[1]}"'
        found = self._client.search(
            self._name, [list(vector)], filter=alive, limit=1, output_fields=list(_FIELDS[2:]), timeout=ASK_S
        )
        hits = found[0]
        return Near(float(hits[0]["distance"]), _kept(hits[0]["entity"], hits[0]["id"])) if hits else None

    def put(self, kept: Kept, vector: Vector) -> None:
        payload = base64.b85encode(zlib.compress(kept.payload.encode())).decode()
        if len(payload) > LONGEST_TEXT:
            return
        row = {
            "id": kept.key, "vector": list(vector), "meaning": kept.meaning, "versions": kept.versions,
            "cause": kept.causes[0], "payload": payload, "made_at": _ms(kept.made_at), "expire_at": _ms(kept.expire_at),
        }
        self._client.upsert(self._name, [row], timeout=ASK_S)
        self._unflushed += 1
        if self._folder is not None and self._unflushed >= FLUSH_AFTER:
            self.tidy()

    def drop(self, key: str) -> None:
        self._client.delete(self._name, ids=[key], timeout=ASK_S)

    def forget(self, cause: str) -> None:
        self._client.delete(self._name, filter=f'cause == "{cause}"', timeout=ASK_S)

    def clear(self) -> None:
        self._client.delete(self._name, filter="expire_at >= 0", timeout=ASK_S)

    def drop_expired(self, now: float) -> None:
        self._client.delete(self._name, filter=f"expire_at <= {_ms(now)}", timeout=ASK_S)

    def tidy(self) -> None:
        """Let the embedded form write its rows into segments, which it searches as one."""
        if self._folder is not None and self._unflushed:
            self._unflushed = 0
            self._client.flush(self._name, timeout=MAKE_S)

    def close(self) -> None:
        self._client.close()
        if self._folder is not None:
            from milvus_lite.server_manager import server_manager_instance  # type: ignore[import-untyped]

            server_manager_instance.release_server(str(self._folder))

    def _open(self, dimension: int) -> None:
        there = self._client.has_collection(self._name, timeout=ASK_S)
        if there and self._folder is not None:
            self._client.drop_collection(self._name, timeout=MAKE_S)
            there = False
        if not there:
            self._make(dimension)
        elif _shape(self._client.describe_collection(self._name, timeout=ASK_S)) != (*_FIELDS, dimension):
            raise WrongShape(f"the collection {self._name} has other fields or another dimension")
        self._client.load_collection(self._name, timeout=MAKE_S)

    def _make(self, dimension: int) -> None:
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("id", DataType.VARCHAR, max_length=64, is_primary=True)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
        for name, length in _TEXTS.items():
            schema.add_field(name, DataType.VARCHAR, max_length=length)
        schema.add_field("made_at", DataType.INT64)
        schema.add_field("expire_at", DataType.INT64)
        index = self._client.prepare_index_params()
        index.add_index("vector", index_type="FLAT", metric_type="COSINE")
        self._client.create_collection(self._name, schema=schema, index_params=index, timeout=MAKE_S)


def _shape(description: dict[str, Any]) -> tuple[object, ...]:
    fields: Sequence[dict[str, Any]] = description["fields"]
    dimension = next((f["params"].get("dim") for f in fields if f["name"] == "vector"), None)
    return (*(f["name"] for f in fields), dimension if dimension is None else int(dimension))


def _kept(row: dict[str, Any], key: str) -> Kept:
    payload = zlib.decompress(base64.b85decode(row["payload"])).decode()
    made_at, expire_at = row["made_at"] / 1000, row["expire_at"] / 1000
    return Kept(key, row["meaning"], row["versions"], (row["cause"],), payload, made_at, expire_at)


def _ms(moment: float) -> int:
    return int(moment * 1000)
