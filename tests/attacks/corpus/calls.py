"""Kernel calls with arguments that would work outside: each by its own way to do harm."""

from tests.attacks.corpus.attack import attack

_X86 = "X86 = os.uname().machine == 'x86_64'\n"

ATTACKS = (
    attack(
        "a ring of requests",
        "crash",
        "libc.syscall(425, 8, ctypes.create_string_buffer(120))",
        detail="SIGSYS",
    ),
    attack(
        "a file in memory, written and mapped",
        "plays on",
        """
        refused("memfd", os.memfd_create, "x", os.MFD_ALLOW_SEALING)
        refused("memfd", call, "syscall", 319 if X86 else 279, b"x", 0)
        refused("secret", call, "syscall", 447, 0)
        """,
        top=_X86,
    ),
    attack(
        "handles of processes",
        "plays on",
        """
        for pid in (os.getpid(), os.getppid(), 1):
            refused("pidfd", os.pidfd_open, pid)
            refused("send", call, "syscall", 424, 0, signal.SIGKILL, 0, 0)
            refused("wait", os.waitid, os.P_PID, pid, os.WEXITED | os.WNOHANG)
            refused("wait", os.waitpid, pid, os.WNOHANG)
        """,
    ),
    attack(
        "another's descriptors",
        "crash",
        "libc.syscall(438, 3, 0, 0)",
        detail="SIGSYS",
    ),
    attack(
        "a clone that shares all",
        "plays on",
        """
        for flags in (0x10900, 0x3d0f00, 0x4100, 0x10000000 | 17, 0x80000000):
            refused("clone", call, "syscall", 56 if X86 else 220, flags, 0, 0, 0, 0)
        args = (ctypes.c_uint64 * 11)(0x100, *[0] * 3, 17, *[0] * 6)
        refused("clone3", call, "syscall", 435, args, 88)
        """,
        top=_X86,
    ),
    attack(
        "numbers of calls with bits above",
        "plays on|crash",
        """
        # The kernel takes 32 bits of a number: those above must not make another call of it.
        for number in (57, 41, 319):
            refused("call", call, "syscall", ctypes.c_long(number | 1 << 32), 1, 1, 0)
        """,
    ),
    attack(
        "a number of a call below all",
        "crash",
        "libc.syscall(ctypes.c_long(-1), 0)",
        detail="SIGSYS",
    ),
    attack(
        "32-bit calls by their gate",
        "crash|plays on",
        """
        import mmap
        # socketcall by int 0x80, then sysenter's page
        code = b"\\xb8\\x66\\x00\\x00\\x00\\xbb\\x01\\x00\\x00\\x00\\xcd\\x80\\xc3"
        page = mmap.mmap(-1, 4096, prot=7)
        page.write(code)
        if X86:
            result = ctypes.CFUNCTYPE(ctypes.c_long)(
                ctypes.addressof(ctypes.c_char.from_buffer(page)))()
            if result >= 0: got_out("int 0x80")
        """,
        top=_X86,
    ),
    attack(
        "writing its own memory by file",
        "plays on",
        """
        for path in ("/proc/self/mem", f"/proc/{os.getpid()}/mem", "/proc/thread-self/mem",
                     "/dev/mem", "/proc/self/clear_refs", "/proc/self/oom_score_adj",
                     "/proc/self/coredump_filter", "/proc/self/attr/current"):
            refused(path, os.open, path, os.O_RDWR)
            refused(path, os.open, path, os.O_WRONLY)
            refused(path, os.open, path, os.O_RDONLY)
        """,
    ),
    attack(
        "a key in the session's ring",
        "crash",
        "libc.syscall(248 if X86 else 217, b'user', b'maumau', b'x', 1, -3)",
        top=_X86,
        detail="SIGSYS",
    ),
    attack(
        "signals to its group and its parent",
        "plays on",
        """
        for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGKILL, signal.SIGHUP, 34):
            refused("group", os.killpg, 0, number)
            refused("group", os.killpg, os.getpgrp(), number)
            refused("parent", os.kill, os.getppid(), number)
            refused("itself", os.kill, os.getpid(), number)
            refused("thread", signal.pthread_kill, threading.get_ident(), number)
            refused("queue", call, "syscall", 129 if X86 else 138, os.getpid(), number, bytes(128))
        refused("group", os.setpgid, 0, os.getppid())
        refused("tty", os.tcsetpgrp, 0, os.getpgrp())
        """,
        top=_X86,
    ),
    attack(
        "timers of every kind",
        "plays on",
        """
        refused("timerfd", call, "timerfd_create", 1, 0)
        refused("signalfd", call, "signalfd", -1, bytes(128), 0)
        refused("alarm", lambda: signal.setitimer(signal.ITIMER_PROF, 0.001))
        timer = ctypes.c_long()
        refused("timer", call, "syscall", 222 if X86 else 107, 1, 0, ctypes.byref(timer))
        """,
        top=_X86,
    ),
    attack(
        "ranks of others",
        "plays on",
        """
        for pid in (os.getppid(), 1):
            refused("affinity", os.sched_setaffinity, pid, {0})
            refused("nice", os.setpriority, os.PRIO_PROCESS, pid, 19)
            refused("limit", resource.prlimit, pid, resource.RLIMIT_CPU)
            refused("limit", resource.prlimit, pid, resource.RLIMIT_CPU, (1, 1))
        refused("user", os.setpriority, os.PRIO_USER, os.getuid(), 19)
        refused("group", os.setpriority, os.PRIO_PGRP, 0, 19)
        refused("attr", call, "syscall", 314 if X86 else 274, 0, bytes(48), 0)
        refused("io", call, "syscall", 251 if X86 else 30, 1, 0, 0x4000)
        """,
        top=_X86,
    ),
    attack(
        "every option of its process",
        "plays on",
        """
        for option in (*range(0, 75), 0x59616d61, 0x53564d41):
            refused(str(option), call, "prctl", option, 1, 0, 0, 0)
        if X86: refused("arch", call, "syscall", 158, 0x1002, 0)
        """,
        top=_X86,
    ),
    attack(
        "unix sockets without a name",
        "plays on",
        """
        refused("socket", socket.socket, socket.AF_UNIX)
        for fd in (0, 1, 2, 3, 4):
            address = struct.pack("H", 1) + b"\\0maumau"
            refused("bind", call, "bind", fd, address, len(address))
            refused("connect", call, "connect", fd, address, len(address))
            refused("listen", call, "listen", fd, 1)
            refused("accept", call, "accept", fd, 0, 0)
        """,
    ),
    attack(
        "memory shared by key",
        "plays on",
        """
        refused("shmget", call, "shmget", 0x4D41, 1 << 16, 0o1666)
        refused("shmat", call, "shmat", 0, 0, 0)
        refused("shmctl", call, "shmctl", 0, 0, 0)
        refused("semop", call, "semop", 0, bytes(6), 1)
        refused("msgsnd", call, "msgsnd", 0, bytes(16), 8, 0)
        def shared():
            from multiprocessing.shared_memory import SharedMemory
            return SharedMemory(create=True, size=4096)
        refused("shared", shared)
        """,
    ),
    attack(
        "its channel mapped",
        "plays on",
        """
        import mmap
        for fd in range(0, 5):
            refused("map", mmap.mmap, fd, 4096)
            refused("tee", call, "tee", 3, 4, 4096, 0)
            refused("vmsplice", call, "vmsplice", 4, 0, 0, 0)
            refused("truncate", os.ftruncate, fd, 0)
            refused("sync", os.fsync, fd)
        refused("larger", call, "fcntl", 4, 1031, 1 << 20)
        """,
    ),
    attack(
        "executable memory of its own bot",
        "plays on",
        """
        import mmap
        fd = os.open(__file__, os.O_RDONLY)
        refused("shared", mmap.mmap, fd, 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        page = mmap.mmap(fd, 0, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        page[:4] = b"evil"
        page.close(); os.close(fd)
        with open(__file__, "rb") as file:
            if file.read(4) == b"evil": got_out("its file")
        """,
    ),
    attack(
        "barriers on every processor",
        "plays on",
        """
        for command in (0, 1, 2, 4, 8, 16):
            refused("barrier", call, "syscall", 324 if X86 else 283, command, 0, 0)
        """,
        top=_X86,
    ),
)
