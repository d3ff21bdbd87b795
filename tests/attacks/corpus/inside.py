"""Its own interpreter: hostile methods of values, ends out of turn, pokes, collectors' bombs."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack(
        "an answer that compares without end",
        "illegal_action",
        """
        class Same(str):
            def __eq__(self, other): return self == other
            __hash__ = str.__hash__
        return Same(lowest(obs))
        """,
    ),
    attack(
        "an answer that reduces without end",
        "illegal_action",
        """
        class Deep:
            def __reduce_ex__(self, version): return (Deep, (self,))
            def __repr__(self): return repr(self)
            __str__ = __format__ = __repr__
        return Deep()
        """,
    ),
    attack(
        "an answer that dies without end",
        "illegal_action|timeout|crash",
        """
        class Phoenix:
            def __del__(self): Phoenix()
        return Phoenix()
        """,
    ),
    attack(
        "an answer whose type has no name",
        "illegal_action|crash",
        """
        class Meta(type):
            def __getattribute__(cls, name): raise RecursionError(name)
        class Nameless(metaclass=Meta): pass
        return Nameless()
        """,
    ),
    attack(
        "an answer whose type's name is a megabyte",
        "illegal_action",
        "return type('N\\n' * 500_000, (), {})()",
    ),
    attack(
        "an error whose type has no name",
        "crash",
        """
        class Meta(type):
            def __getattribute__(cls, name): raise OSError(name)
        class Nameless(Exception, metaclass=Meta): pass
        raise Nameless
        """,
    ),
    attack(
        "an error that cannot be shown and cannot end",
        "crash|timeout",
        """
        class Bad(Exception):
            def __str__(self): raise self
            __repr__ = __str__
            __traceback__ = property(lambda self: 1 / 0)
            __cause__ = property(lambda self: self)
        raise Bad
        """,
    ),
    attack(
        "an end from every hook",
        "crash|plays on",
        """
        import atexit, weakref
        class Last: pass
        atexit.register(os._exit, 0)
        threading._register_atexit(os._exit, 0)
        weakref.finalize(Last(), os._exit, 0)
        """,
    ),
    attack(
        "an end in the collector",
        "crash|plays on",
        "gc.callbacks.append(lambda *a: os._exit(0))\ngc.collect()",
    ),
    attack(
        "an end from a trace",
        "crash",
        "sys.settrace(lambda *a: os._exit(0))\nlowest(obs)",
        detail="status 0",
    ),
    attack(
        "an end by the kernel's call",
        "crash",
        "libc.syscall(231 if os.uname().machine == 'x86_64' else 94, 3)",
        detail="status 3",
    ),
    attack(
        "an end of its only thread",
        "crash|protocol|timeout",
        "libc.syscall(60 if os.uname().machine == 'x86_64' else 93, 0)",
    ),
    attack(
        "a million cycles for the collector",
        "timeout|memory|plays on",
        """
        gc.disable()
        for _ in range(1_000_000):
            x = []
            x.append(x)
        gc.enable()
        gc.collect()
        """,
    ),
    attack(
        "cycles that come back to life",
        "timeout|memory|plays on",
        """
        class Lazarus:
            def __init__(self): self.me = self
            def __del__(self): kept.append(self); Lazarus()
        Lazarus()
        for _ in range(2_000): gc.collect()
        """,
        top="kept = []",
    ),
    attack(
        "faults shown by the fault handler",
        "crash|plays on",
        """
        import faulthandler
        refused("later", faulthandler.dump_traceback_later, 0.01, True)
        for _ in range(200): faulthandler.dump_traceback(4 and 2, all_threads=True)
        """,
    ),
    attack(
        "a fault of the fault handler's own",
        "crash",
        "import faulthandler\nfaulthandler.disable()\nfaulthandler._sigabrt()",
        detail="SIGABRT",
    ),
    attack(
        "an overflow of the stack in C",
        "crash|plays on",
        "import faulthandler\nfaulthandler._stack_overflow()",
    ),
    attack(
        "what None counts to",
        "crash|plays on|timeout",
        "ctypes.c_ssize_t.from_address(id(None)).value = 1\nx = [None] * 9\ndel x",
    ),
    attack(
        "a number that is another",
        "plays on|crash|illegal_action|protocol|timeout",
        """
        ctypes.memmove(id(7) + 24, id(9) + 24, 4)
        ctypes.memmove(id(0) + 24, id(1) + 24, 4)
        """,
    ),
    attack(
        "code objects written over",
        "plays on|crash|illegal_action|timeout|protocol",
        """
        from maumau.arena import child, wire
        wire.encode_answers.__code__ = (lambda *a: b"\\x93\\x00\\x90\\x90").__code__
        child._answer.__code__ = (lambda channel, games: os._exit(0)).__code__
        """,
    ),
    attack(
        "the other side by the collector",
        "plays on",
        """
        mine = set(obs.hand)
        for thing in gc.get_objects():
            name = type(thing).__name__
            if name in ("Table", "Attempt", "ProcessSeat", "BotProcess", "GamePlan", "Zygote"):
                got_out(name)
            if name == "_Game" and thing.bot.info.seat != obs.seat: got_out("another seat")
        for frame in sys._current_frames().values():
            while frame:
                if "maumau/arena/leg" in frame.f_code.co_filename: got_out("the leg")
                frame = frame.f_back
        """,
    ),
    attack(
        "the cards in its own memory",
        "plays on",
        """
        # Bytes that would be the others' hands: the deal's order as the engine holds it.
        from maumau.rules.deal import Deal
        if any(isinstance(it, Deal) for it in gc.get_objects()): got_out("a deal")
        world = obs.sample(self.info.rng)
        if set(world.hands()[obs.seat]) != set(obs.hand): got_out("another hand")
        """,
    ),
    attack(
        "memory that asks the host for more than it may",
        "plays on|memory",
        """
        import mmap
        private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        refused("huge pages", mmap.mmap, -1, 1 << 21, private | 0x40000)
        refused("locked", mmap.mmap, -1, 1 << 20, private | 0x2000)
        """,
    ),
    attack(
        "warnings, logs and profiles without end",
        "timeout",
        """
        import logging, warnings
        while True:
            warnings.warn("x" * 9_999)
            logging.error("y" * 9_999)
        """,
    ),
)
