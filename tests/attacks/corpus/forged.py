"""Forgery: frames with the right number, lengths that lie, and the process's own code exchanged."""

from tests.attacks.corpus.attack import attack

_FORGE = """
import msgspec
def held(name):
    frame = sys._getframe()
    while frame and name not in frame.f_locals: frame = frame.f_back
    return frame.f_locals[name] if frame else None
def send(body):
    os.write(4, len(body).to_bytes(4, "little") + body)
def raw(rest):
    send(b"\\x93\\xcf" + held("nonce").to_bytes(8, "big") + rest)
def forge(*values):
    send(msgspec.msgpack.encode((held("nonce"), *values)))
"""
_READY = """
def ready(kind, code, problem, wants, runtime, name):
    send(msgspec.msgpack.encode((held("start").nonce, kind, code, problem, wants, runtime, name)))
"""

ATTACKS = (
    attack(
        "a list under its own number that claims to be endless",
        "protocol",
        "raw(b'\\xdd\\xff\\xff\\xff\\xff')",
        top=_FORGE,
        detail="what is no answer",
    ),
    attack(
        "a text that claims four gigabytes",
        "protocol",
        "raw(b'\\x90\\xdb\\xff\\xff\\xff\\xff')",
        top=_FORGE,
        detail="what is no answer",
    ),
    attack("numbers that are huge", "protocol", "forge([1 << 63] * 9_000, [])", top=_FORGE),
    attack("a number that is no index", "illegal_action", "forge([(1 << 64) - 1], [])", top=_FORGE),
    attack("a number below all", "illegal_action", "forge([-(1 << 63)], [])", top=_FORGE),
    attack("numbers with a fraction", "protocol", "forge([0.5], [])", top=_FORGE),
    attack("numbers that are true", "protocol", "forge([True], [])", top=_FORGE),
    attack("numbers that are texts", "protocol", "forge(['541'], [])", top=_FORGE),
    attack(
        "a date for an answer", "protocol", "forge([msgspec.msgpack.Ext(-1, b'')], [])", top=_FORGE
    ),
    attack(
        "a fault for itself twice",
        "protocol",
        "forge([-1], [(0, 'crash', ''), (0, 'crash', '')])",
        top=_FORGE,
    ),
    attack(
        "a fault of a seat that is not there",
        "protocol",
        "forge([-1], [(-1, 'crash', 'x')])",
        top=_FORGE,
    ),
    attack(
        "a fault that is the host's", "protocol", "forge([-1], [(0, 'host', 'sorry')])", top=_FORGE
    ),
    attack(
        "a fault that is a timeout", "protocol", "forge([-1], [(0, 'timeout', 'x')])", top=_FORGE
    ),
    attack(
        "a fault with a page of control characters",
        "crash",
        "forge([-1], [(0, 'crash', '\\x1b[2J\\u202e\\n\\0\\x85' * 2_000)])\nread_on()",
        top=_FORGE + "\ndef read_on(): time.sleep(9)\n",
    ),
    attack(
        "out of memory by its own word",
        "memory",
        "forge([-1], [(0, 'memory', 'none left')])",
        top=_FORGE,
    ),
    attack(
        "a forged ready with a code of its own",
        "start",
        top=_FORGE + _READY + "ready('start', 'accepted\\n' * 99, 'x' * 9_000, 0, '', '')",
    ),
    attack(
        "a forged ready that runs on something else",
        "start|protocol|plays on",
        top=_FORGE + _READY + "ready('', '', '', (1 << 64) - 1, 'P\\n' * 9_000, '../../x')",
    ),
    attack(
        "a forged ready that blames the host",
        "start",
        top=_FORGE + _READY + "ready('host', 'host_fault', 'sorry', 0, '', '')",
    ),
    attack(
        "a thousand forged readies",
        "start|protocol",
        top=_FORGE + _READY + "for _ in range(1_000): ready('', '', '', 7, 'Python', 'hostile')",
    ),
    attack(
        "an encoder of its own",
        "protocol|illegal_action|plays on",
        """
        import maumau.arena.wire as wire, msgspec
        class Encoder:
            def encode(self, value): return b"\\xc1" * 60_000
        wire._encoder = Encoder()
        msgspec.msgpack.encode = msgspec.msgpack.decode = lambda *a, **k: b""
        """,
    ),
    attack(
        "a channel of its own",
        "protocol|timeout|plays on|crash",
        """
        from maumau.arena import child
        child.Channel.write = lambda self, body: os.write(4, b"\\xff\\xff\\xff\\x7f")
        child.Channel.read = lambda self: b""
        for it in gc.get_objects():
            if type(it).__name__ == "Channel": it._in, it._out = it._out, it._in
        """,
    ),
    attack(
        "clocks that stand still",
        "timeout",
        """
        import maumau.arena.clock as clock
        for name in ("time", "monotonic", "perf_counter", "process_time", "monotonic_ns"):
            setattr(time, name, lambda: 0)
        resource.getrusage = lambda who: None
        while True: pass
        """,
        top="""
        import types
        sys.modules["maumau.arena.clock"] = types.ModuleType("maumau.arena.clock")
        """,
    ),
    attack(
        "answers from the collector's hook",
        "protocol|timeout|plays on",
        """
        def answer(phase, info):
            try: forge([541], [])
            except TypeError: pass
        gc.callbacks.append(answer)
        gc.collect()
        """,
        top=_FORGE,
    ),
    attack(
        "answers from a signal's hand",
        "protocol|crash|timeout|plays on",
        """
        signal.signal(signal.SIGSEGV, lambda *a: forge([541], []))
        signal.raise_signal(signal.SIGSEGV)
        """,
        top=_FORGE,
    ),
    attack(
        "reply and reply again for ever",
        "protocol",
        "while True: forge([0], [])",
        top=_FORGE,
    ),
)
