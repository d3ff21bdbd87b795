"""Secrets: by file, `/proc`, environment, links, descriptors, and what lies in memory."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack(
        "a file that all may read",
        "plays on",
        """
        refused("open", open, SECRET)
        refused("os.open", os.open, SECRET, os.O_RDONLY)
        refused("relative", open, os.path.relpath(SECRET, "/") )
        refused("dots", open, "/usr/lib/../../" + SECRET)
        for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root/.ssh/id_rsa"):
            refused(path, open, path)
        """,
    ),
    attack(
        "list directories",
        "plays on",
        """
        for path in ("/", "/etc", "/tmp", "/home", "/root", ".", "..", os.path.dirname(SECRET)):
            refused(path, os.listdir, path)
            refused(path, lambda: next(os.scandir(path)))
        """,
    ),
    attack(
        "look into /proc",
        "plays on",
        """
        for pid in ("self", "thread-self", os.getpid(), os.getppid(), 1):
            for name in ("environ", "mem", "maps", "cmdline", "status", "auxv", "fd", "root"):
                refused(f"{pid}/{name}", os.open, f"/proc/{pid}/{name}", os.O_RDONLY)
        for name in ("meminfo", "kcore", "kallsyms", "net/tcp", "sys/kernel/hostname", "mounts"):
            refused(name, open, f"/proc/{name}")
        refused("sys", open, "/sys/kernel/hostname")
        """,
    ),
    attack(
        "the environment",
        "plays on",
        """
        if any("MAUMAU" in name or "TOKEN" in name or "SECRET" in name for name in os.environ):
            got_out(str(dict(os.environ)))
        if len(os.environ) > 8: got_out(str(dict(os.environ)))
        """,
    ),
    attack(
        "the arena's orders",
        "plays on",
        """
        for text in (*sys.argv, *sys.orig_argv, *sys._xoptions, *map(str, sys.path)):
            if "staging" in text or "control" in text or "parent" in text: got_out(text)
        """,
    ),
    attack(
        "links",
        "plays on",
        """
        refused("symlink", os.symlink, SECRET, "link")
        refused("link", os.link, SECRET, "hard")
        refused("link", os.link, SECRET, "/tmp/maumau-hard")
        refused("fd", os.open, "/dev/fd/4", os.O_WRONLY)
        for pid in (os.getppid(), 1):
            for fd in range(32): refused("fd", os.open, f"/proc/{pid}/fd/{fd}", os.O_RDONLY)
        refused("root", os.open, "/proc/self/root" + SECRET, os.O_RDONLY)
        refused("path", lambda: os.open(SECRET, os.O_PATH) and open(f"/proc/self/fd/5"))
        """,
    ),
    attack(
        "descriptors that were left open",
        "plays on",
        """
        for fd in range(5, 1024):
            refused(str(fd), os.fstat, fd)
        """,
    ),
    attack(
        "the arena in memory",
        "plays on",
        """
        from maumau.rules.deal import Deal
        from maumau.rules.game import Game
        for thing in gc.get_objects():
            if isinstance(thing, (Deal, Game)): got_out("a deal")
        for name in sys.modules:
            if name.startswith(("service", "worker", "maumau.usecases", "maumau.storage", "flask",
                                "sqlalchemy", "redis", "maumau.arena.play", "maumau.arena.leg")):
                got_out(name)
        """,
    ),
    attack(
        "the arena in the frames above",
        "plays on",
        """
        frame = sys._getframe()
        while frame:
            for value in frame.f_locals.values():
                if type(value).__name__ in ("Deal", "Game", "Table", "Zygote"): got_out("a deal")
            frame = frame.f_back
        """,
    ),
    attack(
        "the seed of the cards",
        "plays on",
        """
        # Whatever text there is, does a shuffle by it deal the hand that was dealt?
        from maumau.rules.cards import CARDS
        from maumau.rules.shuffle import shuffled
        from maumau.rules.tables import tables_for
        texts, frame = set(), sys._getframe()
        def look(value, depth):
            if type(value) is str: texts.add(value)
            elif type(value) is bytes: texts.update(value.decode("latin-1").split("attack"))
            elif depth and type(value) in (list, tuple, set): [look(v, depth - 1) for v in value]
            elif depth and type(value) is dict: [look(one, depth - 1) for one in value.values()]
        while frame:
            look(list(frame.f_locals.values()), 5)
            frame = frame.f_back
        for thing in gc.get_objects():
            if type(thing) in (list, tuple, dict) and len(thing) < 20: look(thing, 1)
        pack = tables_for(obs.rules, obs.seats).pack
        drawn = {card for event in obs.events for card in event.cards}
        dealt = (set(obs.hand) | {e.action[:2] for e in obs.events if e.seat == obs.seat}) - drawn
        texts.update(text.partition(":")[0] for text in list(texts))
        for text in texts:
            if len(text) > 200 or not text.isprintable(): continue
            order = shuffled(pack, f"{text}:{obs.deal_number}:0")
            at = (obs.seat - obs.leader) % obs.seats
            hand = {CARDS[card] for card in order[at : at + 5 * obs.seats : obs.seats]}
            if hand <= dealt | {"draw", "pass"}: got_out(text)
        """,
    ),
    attack(
        "the application's files",
        "plays on",
        """
        import maumau
        here = os.path.dirname(maumau.__file__)
        for path in (".", "..", "usecases", "storage", "arena", "settings.py", "../service",
                     "../worker", "../pyproject.toml", "storage/database.py", "arena/play.py"):
            full = os.path.join(here, path)
            if path != ".": refused(path, os.open, full, os.O_RDONLY)
        for name in ("flask", "sqlalchemy", "redis", "rq", "service.app", "maumau.storage"):
            refused(name, __import__, name)
        """,
    ),
    attack(
        "other bots' files",
        "plays on",
        """
        refused("beside", os.listdir, os.path.dirname(os.path.abspath(__file__)))
        refused("above", os.listdir, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        """,
    ),
    attack(
        "keys of the kernel",
        "crash",
        "libc.syscall(250 if os.uname().machine == 'x86_64' else 219, 0, -3, 0, 0, 0)",
        detail="SIGSYS",
    ),
)
