"""Time: loops, sleeps, and computing while nobody waits."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack("endless loop", "timeout", "while True: pass", detail="ms of CPU for one decision"),
    attack("endless loop in C", "timeout", "sum(iter(int, 1))"),
    attack("huge power", "timeout|memory", "7 ** 7 ** 12"),
    attack("catastrophic pattern", "timeout", "import re; re.match('(a+)+$', 'a' * 64 + 'b')"),
    attack("sleep", "timeout", "time.sleep(3600)", detail="did not compute"),
    attack("sleep in short naps", "timeout", "while True: time.sleep(0.001)"),
    attack("naps without end", "timeout", "while True: time.sleep(1e-9)"),
    attack("give the processor up", "crash", "while True: os.sched_yield()"),
    attack("wait on a lock", "timeout", "l = threading.Lock(); l.acquire(); l.acquire()"),
    attack(
        "wait for input",
        "timeout|crash",
        "select = __import__('select'); select.select([], [], [])",
    ),
    attack("wait for a signal", "timeout|plays on", "signal.pause()"),
    attack(
        "ignore every signal and loop",
        "timeout",
        """
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True: pass
        """,
    ),
    attack(
        "stop itself",
        "plays on",
        """
        refused("stop", signal.raise_signal, signal.SIGSTOP)
        refused("stop", os.kill, os.getpid(), signal.SIGSTOP)
        refused("stop", os.killpg, 0, signal.SIGTSTP)
        """,
    ),
    attack(
        "swallow every exit",
        "timeout",
        """
        while True:
            try: sys.exit(0)
            except BaseException: pass
        """,
    ),
    attack(
        "loop on leaving", "crash", "import atexit; atexit.register(sum, iter(int, 1)); sys.exit()"
    ),
    attack(
        "loop while its error is shown",
        "timeout",
        """
        class Slow(Exception):
            def __str__(self):
                while True: pass
        raise Slow
        """,
    ),
    attack(
        "loop when an object is deleted",
        "timeout",
        """
        class Sticky:
            def __del__(self):
                while True: pass
        Sticky()
        """,
    ),
    attack(
        "loop in an alarm",
        "plays on",
        "refused('timer', signal.setitimer, signal.ITIMER_REAL, 0.01)",
    ),
    attack(
        "compute after a forged answer",
        "timeout|protocol",
        """
        import msgspec
        frame = sys._getframe()
        while "nonce" not in frame.f_locals: frame = frame.f_back
        nonce, asks = frame.f_locals["nonce"], frame.f_locals["asks"]
        body = msgspec.msgpack.encode((nonce, [self.pick(obs)] * len(asks), []))
        os.write(4, len(body).to_bytes(4, "little") + body)
        while True: pass
        """,
        body="""
        def pick(self, obs):
            from maumau.rules.actions import ACTION_NUMBER
            return ACTION_NUMBER[lowest(obs)]
        """,
    ),
    attack(
        "leave a busy thread behind",
        "plays on",
        "refused('thread', threading.Thread(target=lambda: sum(iter(int, 1))).start)",
    ),
    attack(
        "dribble an answer",
        "timeout|protocol",
        "for b in struct.pack('<I', 60) + b'x' * 60: os.write(4, bytes([b])); time.sleep(0.05)",
    ),
    attack(
        "loop at the end of a deal",
        "plays on",
        body="""
        def deal_ended(self, result):
            while True: pass
        """,
    ),
    attack(
        "loop on the first event",
        "timeout",
        body="""
        def observe(self, event):
            while True: pass
        """,
    ),
    attack(
        "loop as it is made",
        "timeout",
        body="""
        def __init__(self, info):
            while True: pass
        """,
    ),
)
