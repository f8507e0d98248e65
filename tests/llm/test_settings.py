"""The model's settings: the key comes from the environment alone and is seen nowhere."""

import logging
import traceback
from pathlib import Path

import pytest

from core.adapters.llm.opening import open_model
from core.ports.language_model import LanguageModel
from core.shared.clock import SystemClock
from core.shared.errors import SettingsError
from core.shared.settings import load_settings, parse_settings
from tests.llm.asking import PROMPT, failure_of, read_all, words
from tests.llm.conftest import KEY, NOW, LeapingClock, budget_on, settings_for
from tests.support.log_lines import log_lines
from tests.support.model_server import Act, ModelServer, answer, error, said


def file(tmp_path: Path, text: str = "") -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(text, "utf-8")
    return path


def test_the_environment_sets_the_model(tmp_path: Path) -> None:
    environment = {
        "LLM_MODEL": "qwen-plus",
        "LLM_BASE_URL": "https://models.example/v1/",
        "LLM_TEMPERATURE": "0.7",
        "LLM_API_KEY": KEY,
    }
    text = "llm: {model: other, temperature: 0, stages: {plan: {model: large, temperature: 0.1, max_tokens: 900}}}"
    llm = load_settings(file(tmp_path, text), environment).llm
    assert (llm.model, llm.base_url, llm.temperature) == ("qwen-plus", "https://models.example/v1", 0.7)
    assert llm.is_set
    assert llm.stages["plan"].max_tokens == 900
    assert llm.api_key is not None
    assert llm.api_key.get_secret_value() == KEY


@pytest.mark.parametrize(
    ("text", "environment", "says"),
    [
        ("llm: {modell: x}", {}, "config.yaml: llm.modell: unknown key"),
        ("llm: {temperature: 3}", {}, "config.yaml: llm.temperature: expected at most 2"),
        ("llm: {max_retries: 3}", {}, "llm.max_retries: expected at most 2"),
        ("llm: {base_url: 'ftp://x'}", {}, "llm.base_url"),
        ("llm: {stages: {plan: {modle: x}}}", {}, "llm.stages.plan.modle: unknown key"),
        ("llm: 3", {"LLM_API_KEY": KEY}, "config.yaml: llm: expected a mapping of keys to values"),
        ("", {"LLM_TEMPERATURE": "warm"}, "environment LLM_TEMPERATURE: llm.temperature"),
        (f"llm: {{api_key: {KEY}}}", {}, "llm.api_key: a secret does not belong in a file; set LLM_API_KEY instead"),
        ("", {"LLM_API_KEY": f"{KEY}\nx"}, "environment LLM_API_KEY: llm.api_key"),
        ("", {"LLM_API_KEY": f"{KEY} 密钥"}, "environment LLM_API_KEY: llm.api_key"),
    ],
)
def test_a_wrong_setting_is_one_line_without_the_key(
    tmp_path: Path, text: str, environment: dict[str, str], says: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(file(tmp_path, text), environment)
    line = str(caught.value)
    assert says in line
    assert "\n" not in line
    assert KEY not in line


def test_settings_never_show_the_key() -> None:
    settings = settings_for("http://127.0.0.1:1/v1")
    assert KEY not in f"{settings!r}{settings.model_dump_json()}{settings.llm}"


@pytest.mark.parametrize("llm", [{}, {"model": "m"}, {"api_key": KEY}, {"model": "m", "api_key": "  "}])
async def test_without_model_or_key_there_is_no_model(llm: dict[str, str]) -> None:
    async with open_model(parse_settings({"llm": llm}), SystemClock()) as model:
        assert model is None


@pytest.mark.parametrize("url", ["https://api.openai.com/v1", "http://192.168.1.5:8000/v1", "http://127.0.0.1.a.cn/v1"])
async def test_no_test_can_ask_a_model_outside_this_machine(url: str) -> None:
    with pytest.raises(SettingsError, match="only addresses of this machine"):
        async with open_model(settings_for(url), SystemClock()):
            raise AssertionError("opened")


@pytest.mark.parametrize("act", [error(401, f"Incorrect API key provided: {KEY}", code=KEY), error(500, PROMPT)])
async def test_neither_key_nor_prompt_is_told_or_logged(
    model: LanguageModel, server: ModelServer, clock: LeapingClock, act: Act, caplog: pytest.LogCaptureFixture
) -> None:
    server.plays(act)
    with caplog.at_level(logging.DEBUG):
        failure = await failure_of(model, words(), budget_on(clock))
    told = "".join(traceback.format_exception(failure)) + caplog.text
    assert "model call" in told
    assert KEY not in told
    assert "用户想要什么" not in told


async def test_a_call_leaves_one_line_in_the_log(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    server.plays(said("您好", tokens=30), error(503), answer("好", tokens=7))
    with log_lines() as lines:
        await read_all(model, words("summary"), budget_on(clock))
        await model.complete(words("attraction"), budget_on(clock))
    calls = [line for line in lines if line["message"] == "model call"]
    told = [(line["stage"], line["outcome"], line["tokens"], line["reason"], line["level"]) for line in calls]
    assert told == [
        ("summary", "ok", 30, "", "info"),
        ("attraction", "unavailable", 0, "status 503", "warning"),
        ("attraction", "ok", 7, "", "info"),
    ]
    assert all(line["model"] == "test-model" and line["prompt_version"] == "v1" and line["ms"] >= 0 for line in calls)


async def test_health_tells_what_the_last_calls_showed(
    model: LanguageModel, server: ModelServer, clock: LeapingClock
) -> None:
    assert model.health()["status"] == "ok"
    server.plays(error(401))
    await failure_of(model, words(), budget_on(clock))
    assert model.health() == {"status": "degraded", "detail": "test-model: the last 1 call(s) failed"}
    assert clock.now() == NOW
