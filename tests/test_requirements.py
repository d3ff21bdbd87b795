import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MORE = PROJECT["optional-dependencies"]
WANTED = {
    "requirements.txt": [*PROJECT["dependencies"], *MORE["build"]],
    "requirements-dev.txt": [*PROJECT["dependencies"], *MORE["build"], *MORE["dev"]],
}


def pinned(name: str) -> list[tuple[Requirement, list[str]]]:
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        requirement, *hashes = line.split(" --hash=")
        found.append((Requirement(requirement), [one.strip() for one in hashes]))
    return found


@pytest.mark.parametrize("name", WANTED)
def test_every_package_is_pinned_with_hashes_and_no_address(name: str) -> None:
    for requirement, hashes in pinned(name):
        assert [one.operator for one in requirement.specifier] == ["=="], requirement
        assert hashes, requirement
        assert all(one.startswith("sha256:") for one in hashes), requirement
        assert requirement.url is None


@pytest.mark.parametrize("name", WANTED)
def test_what_the_project_needs_is_pinned_as_it_needs_it(name: str) -> None:
    pins = pinned(name)
    for text in WANTED[name]:
        wanted = Requirement(text)
        versions = [
            next(iter(pin.specifier)).version
            for pin, _ in pins
            if canonicalize_name(pin.name) == canonicalize_name(wanted.name)
        ]
        assert versions, f"{name} lacks {wanted}: see CONTRIBUTING.md for how it is made"
        assert all(wanted.specifier.contains(version) for version in versions), wanted


def test_tests_use_the_same_versions_as_the_product() -> None:
    product = {str(pin) for pin, _ in pinned("requirements.txt")}
    assert product <= {str(pin) for pin, _ in pinned("requirements-dev.txt")}
