"""A file that is no Python is told as such before anything is asked of a server."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from maumau.cli.bots import submit


def test_a_syntax_error_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text('class Bad:\n    name = "bad"\n\n    def act(self, obs)\n        pass\n')
    outcome = CliRunner().invoke(submit, [str(file)])
    assert outcome.exit_code == 1
    assert f"{file}, line 4: expected ':'" in outcome.output
