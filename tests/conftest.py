"""No test ever asks a real model: addresses outside this machine are refused, and the developer's own are forgotten."""

import os

os.environ["SMARTVOYAGE_MODEL_LOOPBACK_ONLY"] = "1"
for _name in ("LLM_MODEL", "LLM_BASE_URL", "LLM_TEMPERATURE", "LLM_API_KEY"):
    os.environ.pop(_name, None)
