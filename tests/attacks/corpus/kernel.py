"""The kernel: rarely used calls, other users, namespaces, machine code."""

from tests.attacks.corpus.attack import attack

_CODE = """
import mmap
def run_code(code):
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_long)(address)()
X86 = os.uname().machine == "x86_64"
"""

ATTACKS = (
    attack(
        "be somebody else",
        "plays on",
        """
        if os.geteuid() == 0: got_out("root")
        for function in (os.setuid, os.setgid, os.seteuid, os.setegid):
            refused("user", function, 0)
        refused("groups", os.setgroups, [0])
        refused("setresuid", os.setresuid, 0, 0, 0)
        if os.getgroups() and os.getuid() == 65534: got_out("groups")
        """,
    ),
    attack("namespaces", "crash", "libc.unshare(0x10000000)", detail="SIGSYS"),
    attack("other namespaces", "crash", "libc.setns(0, 0)", detail="SIGSYS"),
    attack("mount", "crash", "libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0)", detail="SIGSYS"),
    attack("change the root", "crash", "os.chroot('/tmp')", detail="SIGSYS"),
    attack("io_uring", "crash", "libc.syscall(425, 8, 0)", detail="SIGSYS"),
    attack(
        "bpf",
        "crash",
        "libc.syscall(321 if os.uname().machine == 'x86_64' else 280, 0, 0, 0)",
        detail="SIGSYS",
    ),
    attack(
        "watch page faults",
        "crash",
        "libc.syscall(323 if os.uname().machine == 'x86_64' else 282, 0)",
        detail="SIGSYS",
    ),
    attack(
        "count events",
        "crash",
        "libc.syscall(298 if os.uname().machine == 'x86_64' else 241, 0, 0, -1, -1, 0)",
        detail="SIGSYS",
    ),
    attack("open by handle", "crash", "libc.open_by_handle_at(-100, 0, 0)", detail="SIGSYS"),
    attack("set the clock", "crash", "time.clock_settime(time.CLOCK_REALTIME, 0)", detail="SIGSYS"),
    attack("reboot", "crash", "libc.reboot(0x4321fedc)", detail="SIGSYS"),
    attack(
        "filters of its own",
        "plays on",
        """
        refused('seccomp', call, 'syscall', 317 if os.uname().machine == 'x86_64' else 277, 1, 0, 0)
        refused('prctl', call, 'prctl', 22, 2, 0, 0, 0)
        """,
    ),
    attack(
        "every call that is not listed",
        "plays on",
        """
        for number in candidates:
            ctypes.set_errno(0)
            result = libc.syscall(number, 0, 0, 0, 0, 0, 0)
            if (result, ctypes.get_errno()) != (-1, errno.EPERM):
                got_out(f"call {number}: {result} {ctypes.get_errno()}")
        """,
        # What the filter neither allows, judges nor kills, worked out from its own tables.
        top="candidates = @CANDIDATES@",
    ),
    attack(
        "32-bit calls",
        "crash|plays on",
        "run_code(b'\\xb8\\x02\\x00\\x00\\x00\\xcd\\x80\\xc3') if X86 else None",
        top=_CODE,
    ),
    attack(
        "calls of the x32 table",
        "crash|plays on",
        "libc.syscall(0x40000000 | 39) if X86 else None",
        top=_CODE,
    ),
    attack(
        "an illegal instruction",
        "crash",
        "run_code(b'\\x0f\\x0b' if X86 else bytes(4))",
        top=_CODE,
        detail="SIGILL",
    ),
    attack(
        "spoil its own stack",
        "crash|timeout",
        "ctypes.memset(id(self), 0xAB, 4096); ctypes.memset(id(sys), 0xAB, 1 << 20)",
    ),
)
