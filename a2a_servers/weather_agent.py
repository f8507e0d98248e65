"""WeatherQueryAssistant: the forecast, in a forecaster's voice."""

from a2a_servers.spec import AgentSpec
from a2a_servers.wording.weather import WeatherTemplate

SPEC = AgentSpec(
    name="WeatherQueryAssistant",
    description="查询中国各城市的逐日天气预报：气温、天气现象、湿度、风力和降水，并给出穿衣与出行提示；只查询，不办理任何预订。",
    templates={"weather": WeatherTemplate()},
)
