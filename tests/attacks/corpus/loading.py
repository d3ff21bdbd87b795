"""Loading: faults at import, in the hook, in the class."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack("endless loop at import", "start", top="while True: pass", detail="ms of CPU"),
    attack("sleep at import", "start", top="time.sleep(3600)", detail="no answer"),
    attack("exit at import", "start", top="sys.exit(0)"),
    attack("silent exit at import", "start", top="os._exit(0)", detail="status 0"),
    attack("segmentation fault at import", "start", top="ctypes.string_at(8)", detail="SIGSEGV"),
    attack("memory at import", "start", top="hoard = bytearray(1 << 34)"),
    attack("forbidden call at import", "start", top="libc.ptrace(0, 0, 0, 0)", detail="SIGSYS"),
    attack("fork at import", "start", top="os.fork()"),
    attack(
        "forged ready",
        "start",
        top="""
        import msgspec
        body = msgspec.msgpack.encode((1, "", "", "", 0, "fine"))
        os.write(4, len(body).to_bytes(4, "little") + body)
        """,
    ),
    attack(
        "forged cage report",
        "start|plays on",
        top="""
        import msgspec
        body = msgspec.msgpack.encode(("cage", "the host is broken"))
        os.write(4, len(body).to_bytes(4, "little") + body)
        """,
    ),
    attack("close the channel at import", "start", top="os.closerange(3, 64)"),
    attack(
        "an error without end",
        "start",
        top="""
        class Slow(Exception):
            def __str__(self):
                while True: pass
        raise Slow
        """,
    ),
    attack("a flood at import", "start", top="while True: print('x' * 65536)"),
    attack(
        "a name that is a trap",
        "start",
        body="""
        class Trap:
            def __get__(self, *a): os._exit(9)
        name = Trap()
        """,
        detail="status 9",
    ),
    attack(
        "a class that cannot be made",
        "start",
        body="""
        def __init__(self): pass
        """,
        detail="must take (self, info)",
    ),
    attack(
        "a class that makes something else",
        "crash",
        body="""
        def __new__(cls, info): return object()
        """,
    ),
    attack(
        "a contract that it changes",
        "plays on",
        top="""
        import maumau.bots.base as base
        base.Bot.act = None
        """,
    ),
)
