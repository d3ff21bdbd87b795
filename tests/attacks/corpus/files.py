"""Files: writing, deleting, emptying, filling the disk, and limits on descriptors."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack(
        "write anywhere",
        "plays on",
        """
        for directory in ("/tmp", "/var/tmp", "/dev/shm", ".", "/", os.path.dirname(SECRET)):
            refused(directory, open, os.path.join(directory, "maumau-was-here"), "w")
            refused(directory, os.mkdir, os.path.join(directory, "maumau-was-here"))
            refused(directory, os.mkfifo, os.path.join(directory, "maumau-was-here"))
            refused(directory, os.open, directory, os.O_TMPFILE | os.O_RDWR)
        import tempfile
        refused("tempfile", tempfile.TemporaryFile)
        """,
    ),
    attack(
        "empty files",
        "plays on",
        """
        for path in (SECRET, __file__, os.__file__):
            refused(path, os.open, path, os.O_RDONLY | os.O_TRUNC)
            refused(path, os.open, path, os.O_RDWR)
            refused(path, os.open, path, os.O_APPEND)
            refused(path, os.truncate, path, 0)
        """,
    ),
    attack(
        "empty a file that it may read",
        "plays on|crash",
        """
        fd = os.open(__file__, os.O_RDONLY)
        refused("ftruncate", os.ftruncate, fd, 0)
        refused("fallocate", os.posix_fallocate, fd, 0, 1 << 30)
        refused("write", os.write, fd, b"x")
        os.close(fd)
        """,
    ),
    attack(
        "change what it may read",
        "plays on",
        """
        for path in (SECRET, __file__):
            refused("chmod", os.chmod, path, 0o777)
            refused("chown", os.chown, path, 0, 0)
            refused("utime", os.utime, path)
            refused("unlink", os.unlink, path)
            refused("rename", os.rename, path, path + "x")
            refused("xattr", os.setxattr, path, "user.x", b"1")
        refused("chdir", os.chdir, "/")
        refused("chroot", os.mkdir, "x")
        """,
    ),
    attack(
        "devices",
        "plays on",
        """
        for name in ("tty", "mem", "sda", "kmsg", "fuse", "ptmx", "zero", "null", "random"):
            refused(name, os.open, "/dev/" + name, os.O_RDONLY)
        refused("mknod", os.mknod, "/tmp/maumau-node", 0o600 | 0o020000, os.makedev(1, 3))
        refused("pipe", os.pipe)
        refused("eventfd", os.eventfd, 0)
        """,
    ),
    attack(
        "all descriptors",
        "plays on",
        """
        held = []
        try:
            while len(held) < 1000: held.append(os.open(__file__, os.O_RDONLY))
            got_out("1000 descriptors")
        except OSError:
            pass
        for fd in held: os.close(fd)
        """,
    ),
    attack(
        "raise its limits",
        "plays on",
        """
        for name in dir(resource):
            if name.startswith("RLIMIT_"):
                kind = getattr(resource, name)
                resource.getrlimit(kind)
                refused(name, resource.setrlimit, kind, (-1, -1))
                refused(name, resource.setrlimit, kind, resource.getrlimit(kind))
        """,
    ),
    attack("watch files", "plays on", "refused('inotify', call, 'inotify_init')"),
    attack(
        "lock files",
        "plays on|crash",
        """
        import fcntl
        fd = os.open(__file__, os.O_RDONLY)
        refused('flock', fcntl.flock, fd, fcntl.LOCK_EX)
        refused('lockf', fcntl.fcntl, fd, 6, struct.pack('hhqqi', 0, 0, 0, 0, 0))
        os.close(fd)
        """,
    ),
)
