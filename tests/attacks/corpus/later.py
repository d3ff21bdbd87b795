"""Kinds that were thought of later: stubborn values, borrowed machinery, and ways round a clock."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack(
        "an answer that never compares equal",
        "illegal_action|plays on",
        """
        class Never(str):
            def __eq__(self, other): return False
            def __hash__(self): return 0
        return Never(lowest(obs))
        """,
    ),
    attack(
        "an answer whose hash never ends",
        "illegal_action|timeout",
        """
        class Endless(str):
            def __hash__(self):
                while True: pass
        return Endless(lowest(obs))
        """,
    ),
    attack(
        "an answer whose class lies",
        "illegal_action|crash",
        """
        class Liar:
            __class__ = str
            def __len__(self): return 2
        return Liar()
        """,
    ),
    attack("a generator for an answer", "illegal_action", "yield lowest(obs)"),
    attack(
        "a coroutine for an answer",
        "illegal_action",
        """
        async def later(): return lowest(obs)
        return later()
        """,
    ),
    attack(
        "an exception group without end",
        "crash",
        "raise BaseExceptionGroup('x', [KeyboardInterrupt()] * 10_000)",
    ),
    attack(
        "an exception whose name is a trap",
        "crash",
        """
        raise type('X' * 1_000_000 + '\\n\\x1b[2J', (Exception,), {})('\\ud800' * 1000)
        """,
    ),
    attack(
        "an exception with itself for a cause",
        "crash",
        """
        error = ValueError('round and round')
        error.__cause__ = error
        error.__context__ = error
        raise error
        """,
    ),
    attack(
        "a chain of a hundred thousand causes",
        "crash|timeout|memory",
        """
        error = None
        for number in range(100_000):
            new = ValueError(number)
            new.__cause__, error = error, new
        raise error
        """,
    ),
    attack(
        "a module in the place of the arena's own",
        "plays on|crash|protocol|timeout",
        top="""
        import types
        for name in ('maumau.arena.wire', 'maumau.rules.actions', 'msgspec', 'json', 'traceback'):
            sys.modules[name] = types.ModuleType(name)
        """,
    ),
    attack(
        "a function of the arena's exchanged",
        "plays on|crash|protocol",
        """
        import maumau.arena.botgames as games
        games.clean = games.logged = lambda *a: 'x' * 10_000
        raise ValueError
        """,
    ),
    attack(
        "the answer of its own process forged in advance",
        "protocol|plays on",
        """
        for fd in range(3, 64):
            try: os.write(fd, b'\\x08\\x00\\x00\\x00\\x93\\x00\\x91\\x00\\x90\\x00\\x00\\x00')
            except OSError: pass
        """,
    ),
    attack(
        "half a frame and then nothing",
        "protocol|timeout|plays on",
        """
        for fd in range(3, 64):
            try: os.write(fd, b'\\xff\\x7f')
            except OSError: pass
        while True: time.sleep(1)
        """,
    ),
    attack(
        "the next question read in its place",
        "timeout|protocol|crash|plays on",
        """
        for fd in range(3, 64):
            try:
                os.set_blocking(fd, False)
                os.read(fd, 1 << 20)
            except OSError: pass
        """,
    ),
    attack(
        "a trace function that never ends",
        "timeout",
        """
        def trace(*a):
            while True: pass
        sys.settrace(trace)
        lowest(obs)
        """,
    ),
    attack(
        "an audit hook that refuses all",
        "crash|plays on|protocol|timeout",
        """
        def hook(event, args): raise RuntimeError(event)
        sys.addaudithook(hook)
        """,
    ),
    attack(
        "a collector that never ends",
        "timeout|plays on",
        """
        class Last:
            def __del__(self):
                while True: pass
        gc.collect()
        x = [Last()]; x.append(x); del x
        gc.collect()
        """,
    ),
    attack(
        "a timer of its own",
        "plays on|crash|timeout",
        """
        def leave(*a): raise SystemExit
        signal.signal(signal.SIGALRM, leave)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        """,
    ),
    attack("a breakpoint", "crash|plays on|timeout", "breakpoint()"),
    attack("ask the person at the terminal", "crash", "input('password: ')"),
    attack(
        "a help page",
        "plays on|crash|timeout|memory",
        "import pydoc; pydoc.help('modules')",
    ),
    attack(
        "open a page in a browser",
        "plays on|crash|timeout|memory",
        "import webbrowser; webbrowser.open('http://example.invalid') and got_out('browser')",
    ),
    attack(
        "compile ever deeper brackets",
        "crash|memory|plays on",
        "refused_any = None\ntry: compile('(' * 100_000, 'x', 'eval')\nexcept SyntaxError: pass",
    ),
    attack(
        "an integer as text",
        "crash|timeout|memory",
        "sys.set_int_max_str_digits(0); str(7 ** 3_000_000)",
    ),
    attack(
        "a cache that grows with every decision",
        "memory|plays on",
        "cache.append(bytearray(8 << 20)); cache[-1][::4096] = b'x' * len(cache[-1][::4096])",
        top="cache = []",
    ),
    attack(
        "a format with a huge width",
        "memory|crash|timeout",
        "f'{1:>{1 << 40}}'",
    ),
    attack(
        "a zip that unpacks without end",
        "memory|timeout|crash",
        """
        import zlib
        packer = zlib.compressobj(9)
        packed = b''.join(packer.compress(bytes(1 << 20)) for _ in range(256)) + packer.flush()
        zlib.decompress(packed)
        """,
    ),
    attack(
        "frames of the arena walked up and changed",
        "plays on|crash|protocol|illegal_action",
        """
        frame = sys._getframe()
        while frame.f_back: frame = frame.f_back
        for held in gc.get_objects():
            if type(held).__name__ == 'BotGames': held._games.clear()
        """,
    ),
)
