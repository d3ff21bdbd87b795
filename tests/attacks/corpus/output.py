"""Output: floods, forged answers, closed channels, and answers that are none."""

from tests.attacks.corpus.attack import attack

_FORGE = """
import msgspec
def forge(*values):
    body = msgspec.msgpack.encode(values)
    os.write(4, len(body).to_bytes(4, "little") + body)
"""

ATTACKS = (
    attack("a flood of text", "timeout", "while True: print('x' * 100_000)"),
    attack("a flood of errors", "timeout", "while True: os.write(2, b'e' * 65536)"),
    attack("a flood of lines", "timeout", "while True: print()"),
    attack(
        "control characters in the log",
        "crash",
        "print('\\x1b[2J\\x00\\udcff'); raise ValueError('\\x1b[31m\\n<script>\\ud800')",
    ),
    attack("a large answer", "illegal_action", "return 'x' * 10_000_000"),
    attack("bytes on the channel", "protocol|timeout", "os.write(4, b'\\xff' * 100)", detail=""),
    attack(
        "a frame without end",
        "protocol",
        "os.write(4, struct.pack('<I', 1 << 31))\nwhile True: os.write(4, b'x' * 65536)",
        detail="more than",
    ),
    attack(
        "half a frame, then silence",
        "timeout",
        "os.write(4, struct.pack('<I', 90)); time.sleep(99)",
    ),
    attack("an empty frame", "protocol", "os.write(4, bytes(4))"),
    attack(
        "an answer without the number",
        "protocol",
        "forge(1, [0], [])",
        top=_FORGE,
        detail="another request",
    ),
    attack("an answer of the wrong kind", "protocol", "forge('a', {'b': []})", top=_FORGE),
    attack("a deep answer", "protocol", "os.write(4, struct.pack('<I', 60000) + b'\\x91' * 60000)"),
    attack(
        "an answer that claims the host failed",
        "protocol",
        "forge(1, [-1], [(0, 'host', 'sorry')])",
        top=_FORGE,
    ),
    attack(
        "an object for the arena to unpickle",
        "protocol",
        "import pickle\nb = pickle.dumps(lowest)\nos.write(4, struct.pack('<I', len(b)) + b)",
    ),
    attack(
        "answers ahead of the questions",
        "protocol",
        """
        for _ in range(50): forge(7, [0], [])
        """,
        top=_FORGE,
    ),
    attack("close the channel", "protocol", "os.close(4); time.sleep(9)", detail="closed"),
    attack("close everything", "protocol|crash", "os.closerange(0, 64)"),
    attack("close the questions", "protocol|crash", "os.close(3)"),
    attack(
        "close the log",
        "plays on|crash",
        "for fd in (1, 2):\n    try: os.close(fd)\n    except OSError: pass",
    ),
    attack("read the next question itself", "timeout|protocol", "os.read(3, 1 << 20)"),
    attack("write where it reads", "plays on", "refused('write', os.write, 3, b'x')"),
    attack(
        "send its descriptors elsewhere",
        "plays on",
        "refused('dup2', os.dup2, 1, 4)\nrefused('splice', os.sendfile, 4, 0, 0, 10)",
    ),
    attack(
        "make the channel asynchronous",
        "plays on",
        """
        import fcntl
        refused('setfl', fcntl.fcntl, 4, fcntl.F_SETFL, os.O_ASYNC)
        refused('setown', fcntl.fcntl, 4, 8, os.getppid())
        """,
    ),
    attack("nothing", "illegal_action", "return None"),
    attack("a number", "illegal_action", "return 541"),
    attack("bytes", "illegal_action", "return lowest(obs).encode()"),
    attack("a list", "illegal_action", "return [lowest(obs)]"),
    attack("an action that is none", "illegal_action", "return 'Zz'"),
    attack(
        "an action that is not legal",
        "illegal_action",
        """
        cards = ("7h", "8h", "7s", "9c", "7d", "Kc", "Qd", "2c", "3c")
        return next(card for card in cards if card not in obs.legal_actions)
        """,
        detail="legal were",
    ),
    attack("a lone surrogate", "illegal_action", "return '\\ud800'"),
    attack("a text with more behind it", "illegal_action", "return lowest(obs) + '\\x00'"),
    attack(
        "a text that equals everything",
        "illegal_action",
        """
        class Any(str):
            def __eq__(self, other): return True
            def __hash__(self): return hash(lowest(obs))
        return Any("draw")
        """,
    ),
    attack(
        "an object with ways of its own",
        "illegal_action",
        """
        class Bomb:
            def __reduce__(self): return (os.system, ("true",))
            def __str__(self): return lowest(obs)
            def __hash__(self): return 7
        return Bomb()
        """,
    ),
    attack("a nested bomb", "illegal_action", "x = []\nfor _ in range(100_000): x = [x]\nreturn x"),
)
