"""Memory: all at once, bit by bit, off the heap, and by recursion."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack("one large block", "memory", "b = bytearray(1 << 33)"),
    attack("blocks without end", "memory", "b = []\nwhile True: b.append(bytearray(1 << 24))"),
    attack("objects without end", "memory|timeout", "b = []\nwhile True: b.append([b] * 1000)"),
    attack("a doubling text", "memory", "s = 'x'\nwhile True: s += s"),
    attack("a large number", "memory|timeout", "1 << (1 << 34)"),
    attack(
        "catch the error and go on",
        "memory|timeout",
        """
        keep = []
        while True:
            try: keep.append(bytearray(1 << 22))
            except MemoryError: pass
        """,
    ),
    attack(
        "leak a little at every decision",
        "plays on|memory",
        "leak.append(bytearray(1 << 20))",
        top="leak = []",
    ),
    attack(
        "maps",
        "plays on",
        """
        import mmap
        refused("map", mmap.mmap, -1, 1 << 33)
        """,
    ),
    attack(
        "memory of C",
        "plays on",
        """
        libc.malloc.restype = ctypes.c_void_p
        if libc.malloc(ctypes.c_size_t(1 << 33)): got_out('malloc')
        """,
    ),
    attack(
        "shared memory",
        "plays on",
        """
        refused("memfd", os.memfd_create, "m")
        refused("shmget", call, "shmget", 0, 1 << 20, 0o1666)
        refused("shm_open", call, "shm_open", b"/maumau", 66, 0o600)
        """,
    ),
    attack("locked memory", "plays on", "refused('mlock', call, 'mlockall', 3)"),
    attack(
        "a bomb of compressed bytes",
        "memory|timeout",
        """
        import zlib
        b = zlib.compress(bytes(1 << 20), 9)
        zlib.decompress(zlib.decompress(zlib.compress(b * 4000)))
        bytearray(1 << 31)
        """,
    ),
    attack("endless recursion", "crash", "def f(): f()\nf()", detail="RecursionError"),
    attack(
        "recursion without a limit",
        "crash|memory|timeout",
        "sys.setrecursionlimit(1 << 30)\ndef f(): f()\nf()",
    ),
    attack(
        "recursion in C",
        "crash|memory|timeout",
        """
        sys.setrecursionlimit(1 << 30)
        x = []
        for _ in range(1 << 20): x = [x]
        repr(x)
        """,
    ),
    attack(
        "an error in its own memory error",
        "memory|crash",
        """
        class Greedy(MemoryError):
            def __str__(self): return "x" * (1 << 33)
        raise Greedy
        """,
    ),
)
