"""The gateway alone: `uvicorn main_http_api:app --port 8888`. Agents and tool servers are expected to run already."""

import sys
from pathlib import Path

from core.bootstrap import open_backend
from core.gateway.app import create_app
from core.shared import logging
from core.shared.clock import SystemClock
from core.shared.errors import SettingsError
from core.shared.settings import load_settings

try:
    settings = load_settings(Path(__file__).with_name("config.yaml"))
except SettingsError as error:
    print(f"smartvoyage: {error}", file=sys.stderr)
    sys.exit(2)

logging.configure(settings.log_level)
app = create_app(lambda: open_backend(settings, SystemClock(settings.now)), settings.auth)
