from pathlib import Path

import pytest

from maumau.errors import InvalidInput
from maumau.settings import documented, load


def test_nothing_set_gives_the_documented_defaults() -> None:
    settings = load({})
    assert settings.var == Path("var").absolute()
    assert settings.database_url == f"sqlite:///{Path('var').absolute()}/maumau.db"
    assert settings.redis_url is None
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.address == "http://127.0.0.1:8000"
    assert settings.server is None
    assert settings.workers >= 1
    assert settings.uploads == "sandbox"
    assert settings.token is None
    assert settings.admin_token_file == settings.var / "admin-token"


def test_every_variable_is_read() -> None:
    settings = load(
        {
            "MAUMAU_VAR": "/data",
            "MAUMAU_DATABASE_URL": "postgresql://u:secret@h/db",
            "MAUMAU_REDIS_URL": "unix:///run/v.sock",
            "MAUMAU_HOST": "::",
            "MAUMAU_PORT": "9000",
            "MAUMAU_WORKERS": "0",
            "MAUMAU_THREADS": "4",
            "MAUMAU_RATE_READS": "9/second",
            "MAUMAU_RATE_WRITES": "off",
            "MAUMAU_TRUSTED_PROXIES": "2",
            "MAUMAU_METRICS_TOKEN": "prometheus-reads-with-this",
            "MAUMAU_UPLOADS": "off",
            "MAUMAU_TOKEN": "mm_abc",
            "MAUMAU_LEASE_SECONDS": "5",
            "MAUMAU_LOG_LEVEL": "debug",
            "MAUMAU_LOG_FORMAT": "json",
        }
    )
    assert settings.database_url == "postgresql://u:secret@h/db"
    assert settings.redis_url == "unix:///run/v.sock"
    assert settings.address == "http://[::1]:9000"
    assert (settings.workers, settings.uploads, settings.token) == (0, "off", "mm_abc")
    assert (settings.threads, settings.rate_reads, settings.rate_writes) == (4, "9/second", None)
    assert (settings.lease_seconds, settings.log_level, settings.log_format) == (5, "debug", "json")
    assert settings.trusted_proxies == 2
    assert settings.metrics_token == "prometheus-reads-with-this"
    assert "secret" not in repr(settings)
    assert "prometheus" not in repr(settings)
    assert "mm_abc" not in repr(settings)


def test_an_empty_value_is_none() -> None:
    assert load({"MAUMAU_PORT": " ", "MAUMAU_TOKEN": ""}) == load({})


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("MAUMAU_PORT", "0", "whole number from 1 to 65535"),
        ("MAUMAU_PORT", "٣٠٠٠", "whole number"),
        ("MAUMAU_PORT", "9" * 5000, "whole number"),
        ("MAUMAU_WORKERS", "-1", "whole number"),
        ("MAUMAU_THREADS", "1", "whole number from 2"),
        ("MAUMAU_RATE_READS", "many", "like 600/minute"),
        ("MAUMAU_UPLOADS", "yes", "one of sandbox, unsafe, off"),
        ("MAUMAU_DATABASE_URL", "mysql://u:secret@h/db", "begins with sqlite or postgresql"),
        ("MAUMAU_REDIS_URL", "localhost:6379", "begins with redis"),
        ("MAUMAU_SERVER", "localhost:8000", "like http://127.0.0.1:8000"),
        ("MAUMAU_HOST", "http://x/", "address or host name"),
        ("MAUMAU_TOKEN", "a b", "without blanks"),
        ("MAUMAU_TRUSTED_PROXIES", "all", "whole number from 0"),
        ("MAUMAU_METRICS_TOKEN", "secret", "at least 20 characters"),
        ("MAUMAU_LOG_LEVEL", "loud", "one of debug"),
        ("MAUMAU_UPLOAD", "off", "is not a setting"),
    ],
)
def test_a_wrong_value_names_its_variable(name: str, value: str, says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load({name: value})
    (problem,) = caught.value.problems
    assert problem.path == name
    assert says in problem.message
    assert "secret" not in str(caught.value)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(InvalidInput) as caught:
        load({"MAUMAU_PORT": "x", "MAUMAU_UPLOADS": "x"})
    assert [p.path for p in caught.value.problems] == ["MAUMAU_PORT", "MAUMAU_UPLOADS"]


def test_every_variable_is_in_the_docs_with_its_default() -> None:
    text = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")
    for name, default, meaning in documented():
        assert f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |" in text
