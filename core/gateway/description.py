"""/openapi.json with what every route may answer, and /docs, which shows it without the internet."""

from importlib import resources
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from fastapi.responses import HTMLResponse, Response

from core.gateway.auth import is_public
from core.gateway.problems import documented
from core.gateway.schemas import ProblemOut
from core.shared.errors import Forbidden, MethodNotAllowed, NotFound, Unauthenticated, UpstreamUnavailable

router = APIRouter(include_in_schema=False)

_FOLDER = "/static/docs"
_BROWSER_KEEPS_S = 86_400
_FILES = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}


@router.get("/docs")
async def docs() -> HTMLResponse:
    return get_swagger_ui_html(
        openapi_url="/openapi.json",
        title="SmartVoyage 智途",
        swagger_js_url=f"{_FOLDER}/swagger-ui-bundle.js",
        swagger_css_url=f"{_FOLDER}/swagger-ui.css",
        swagger_favicon_url=f"{_FOLDER}/favicon-32x32.png",
        swagger_ui_parameters={"validatorUrl": None},
    )


@router.get(f"{_FOLDER}/{{name}}")
def docs_file(name: str) -> Response:
    """Swagger UI's own files (Apache-2.0), as the package fastapi-swagger carries them."""
    if name not in _FILES:
        raise NotFound("没有这个地址。")
    content = resources.files("fastapi_swagger").joinpath("resources", name).read_bytes()
    headers = {"Cache-Control": f"public, max-age={_BROWSER_KEEPS_S}"}
    return Response(content, media_type=_FILES[name], headers=headers)


class DescribedApp(FastAPI):
    """FastAPI whose description also holds what no route returns by itself: our problem details and the edge's."""

    def openapi(self) -> dict[str, Any]:
        described = super().openapi()
        schemas = described.setdefault("components", {}).setdefault("schemas", {})
        schemas.setdefault("ProblemOut", ProblemOut.model_json_schema())
        for path, operations in described["paths"].items():
            common = _of_every_route(path)
            for operation in operations.values():
                operation["responses"] = {**common, **operation["responses"]}
        return described


def _of_every_route(path: str) -> dict[str, Any]:
    """A 405 answers the other methods of the same address, a 503 whatever needs the database."""
    answers = documented(Forbidden, MethodNotAllowed)
    if not is_public(path):
        answers |= documented(Unauthenticated, UpstreamUnavailable)
    return {str(status): answer for status, answer in answers.items()}
