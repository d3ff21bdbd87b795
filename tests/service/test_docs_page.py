import re

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize("path", ["/", "/api/v1/docs"])
def test_a_page_asks_for_nothing_from_elsewhere_and_all_it_asks_for_is_there(
    client: FlaskClient, path: str
) -> None:
    text = client.get(path).text
    links = re.findall(r'<a [^>]*?href="([^"]+)"', text)
    assert all(link.startswith(("/", "#")) for link in links)
    loaded = re.findall(r'<(?:link|script|img)[^>]+?(?:src|href)="([^"]+)"', text)
    assert len(loaded) >= 3
    for address in [*loaded, *re.findall(r'data-url="([^"]+)"', text)]:
        assert address.startswith("/")
        assert client.get(address).status_code == 200, address
    assert "<script>" not in text
    assert " style=" not in text


def test_no_other_file_of_the_package_is_served(client: FlaskClient) -> None:
    for name in ("oauth2-redirect.html", "../__init__.py", "%2e%2e/__init__.py"):
        assert client.get(f"/api/v1/docs/{name}").status_code == 404


def test_the_description_is_openapi_3_1(client: FlaskClient) -> None:
    spec = client.get("/api/v1/openapi.json").json
    assert spec is not None
    assert spec["openapi"].startswith("3.1.")
    assert "/api/v1/healthz" in spec["paths"]
    assert spec["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"


def test_a_browser_is_told_to_load_nothing_from_elsewhere(client: FlaskClient) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
