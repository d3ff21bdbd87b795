import socket
import stat
from pathlib import Path

import pytest

from maumau.cli import place
from maumau.cli.place import Place
from maumau.errors import Conflict, Unavailable


def test_what_is_kept_is_for_its_owner_only(tmp_path: Path) -> None:
    here = Place(tmp_path / "var")
    here.prepare()
    for directory in (here.var, here.logs, here.queue, here.state.parent):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert list(here.state.parent.iterdir()) == []


def test_a_place_that_cannot_be_written_to_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="set MAUMAU_VAR to a directory of your own"):
        Place(tmp_path / "file" / "var").prepare()


def test_two_arenas_cannot_share_a_place(tmp_path: Path) -> None:
    here = Place(tmp_path)
    here.prepare()
    place.write_state(here.state, {"pid": 42, "server": "http://127.0.0.1:1"})
    with here.held():
        with pytest.raises(Conflict) as caught, here.held():
            pass
        assert "process 42, http://127.0.0.1:1" in str(caught.value)
    with here.held():
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}'])
def test_a_state_file_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "up.json").write_text(text)
    assert place.read_state(tmp_path / "up.json") is None


def test_only_a_directory_of_ours_is_cleared_away(tmp_path: Path) -> None:
    ours, other = tmp_path / "maumau-1", tmp_path / "other"
    ours.mkdir()
    other.mkdir()
    for left in (ours, other):
        place.clear_away({"runtime": str(left)})
    assert (ours.exists(), other.exists()) == (False, True)


def test_a_taken_port_says_how_to_choose_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "LISTEN_SECONDS", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(Unavailable) as caught:
            place.listen("127.0.0.1", port)
    assert f"port {port} of 127.0.0.1 is taken" in str(caught.value)
    assert "MAUMAU_PORT=" in str(caught.value)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(Unavailable, match="set MAUMAU_HOST to an address of this machine"):
        place.listen("192.0.2.1", 8000)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
def test_connections_wait_on_the_socket_before_anyone_serves(host: str) -> None:
    with place.listen(host, 0) as listener:
        address = listener.getsockname()
        with socket.create_connection(address[:2], timeout=5) as client:
            assert client.getpeername()[1] == address[1]
