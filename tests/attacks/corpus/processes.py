"""Processes: forks, threads, programs, daemons, signals to others."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack("fork", "plays on", "refused('fork', os.fork)"),
    attack("fork bomb", "timeout|crash", "while True: os.fork()", detail=""),
    attack(
        "fork by kernel call",
        "plays on",
        """
        clone = 56 if os.uname().machine == "x86_64" else 220
        refused("clone", call, "syscall", clone, signal.SIGCHLD, 0, 0, 0, 0)
        refused('vfork', call, 'vfork')
        """,
    ),
    attack(
        "terminal of its own", "plays on", "refused('pty', os.forkpty)\nrefused('pty', os.openpty)"
    ),
    attack(
        "threads",
        "plays on",
        """
        refused("thread", threading.Thread(target=print).start)
        import concurrent.futures
        refused("pool", lambda: concurrent.futures.ThreadPoolExecutor().submit(print).result(0.1))
        """,
    ),
    attack(
        "processes of the library",
        "plays on",
        """
        import multiprocessing
        refused("process", multiprocessing.get_context("fork").Process(target=print).start)
        refused("pool", multiprocessing.get_context("spawn").Pool, 1)
        """,
    ),
    attack(
        "programs",
        "plays on",
        """
        refused("run", subprocess.run, ["/bin/true"])
        refused("spawn", os.posix_spawn, "/bin/true", ["true"], {})
        refused("exec", os.execv, "/bin/true", ["true"])
        refused("exec", os.execve, sys.executable or "/bin/sh", ["sh"], {})
        refused("popen", lambda: os.popen("true").read())
        if os.system("true") == 0: got_out("system")
        """,
    ),
    attack(
        "a daemon",
        "plays on",
        "refused('setsid', os.setsid)\nrefused('daemon', call, 'daemon', 0, 0)",
    ),
    attack(
        "signals to others",
        "plays on",
        """
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, 0):
            for pid in (os.getppid(), 1, -1, 0, os.getpid()):
                refused("kill", os.kill, pid, number)
            refused("killpg", os.killpg, os.getppid(), number)
        refused("tgkill", call, "tgkill", os.getppid(), os.getppid(), 9)
        refused("queue", call, "sigqueue", os.getppid(), 15, 0)
        refused("pidfd", os.pidfd_open, os.getppid())
        """,
    ),
    attack(
        "look like killed by the host",
        "plays on",
        """
        refused('SIGKILL', signal.raise_signal, signal.SIGKILL)
        refused('SIGXCPU', signal.raise_signal, signal.SIGXCPU)
        """,
    ),
    attack("trace the parent", "crash", "libc.ptrace(16, os.getppid(), 0, 0)", detail="SIGSYS"),
    attack("let others trace it", "crash", "libc.ptrace(0, 0, 0, 0)", detail="SIGSYS"),
    attack(
        "read the parent's memory by call",
        "crash",
        "libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)",
        detail="SIGSYS",
    ),
    attack(
        "its own rank among processes",
        "plays on",
        """
        refused("nice", os.setpriority, os.PRIO_PROCESS, 0, -5)
        refused("affinity", os.sched_setaffinity, 0, {0})
        refused("scheduler", os.sched_setscheduler, 0, os.SCHED_BATCH, os.sched_param(0))
        refused("prctl", call, "prctl", 1, 0, 0, 0, 0)
        refused("prctl", call, "prctl", 4, 1, 0, 0, 0)
        refused("prctl", call, "prctl", 36, 1, 0, 0, 0)
        """,
    ),
    attack("segmentation fault", "crash", "ctypes.string_at(8)", detail="SIGSEGV"),
    attack("abort", "crash", "os.abort()", detail="SIGABRT"),
    attack("silent exit", "crash", "os._exit(0)", detail="status 0"),
    attack("the arena's own exit status", "memory|crash", "os._exit(77)"),
    attack("exit", "crash", "sys.exit('good bye')", detail="SystemExit"),
    attack("interrupt", "crash", "raise KeyboardInterrupt", detail="KeyboardInterrupt"),
    attack("a generator's exit", "crash", "raise GeneratorExit"),
)
