"""The weather server: one tool, the forecast."""

from core.shared.clock import Clock
from mcp_server.business_data import BusinessData
from mcp_server.parameters import Date, DateEnd, WeatherCity
from mcp_server.results import WeatherResult
from mcp_server.skills import QUERY_WEATHER
from mcp_server.tool_server import ToolServer
from mcp_tools import weather_tools
from mcp_tools.wishes import WeatherWish


class WeatherTools:
    """The tools of this server over the business data."""

    def __init__(self, data: BusinessData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def query_weather(self, city: WeatherCity, date: Date, date_end: DateEnd = None) -> WeatherResult:
        """The forecast for a city, day by day."""
        wish = WeatherWish(city=city, date=date, date_end=date_end)
        return WeatherResult.model_validate(weather_tools.query_weather(self._data.engine, wish, self._clock.now()))


def make_server(data: BusinessData, clock: Clock) -> ToolServer:
    """The weather server; it opens `data` while it runs."""
    server = ToolServer("mcp-weather", "国内城市的天气预报。", data, clock, weather=True)
    server.add_query(WeatherTools(data, clock).query_weather, "查询天气", QUERY_WEATHER)
    return server
