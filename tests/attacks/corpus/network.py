"""The network: sockets of every family, names, and other ways to talk to others."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack(
        "sockets of every family",
        "plays on",
        """
        for family in range(0, 46):
            for kind in (1, 2, 3, 5):
                refused(f"{family}/{kind}", socket.socket, family, kind)
        """,
    ),
    attack(
        "socket pairs",
        "plays on",
        """
        refused('pair', socket.socketpair)
        import asyncio
        refused('loop', asyncio.new_event_loop)
        """,
    ),
    attack(
        "names",
        "plays on",
        """
        refused('name', socket.getaddrinfo, 'example.org', 80)
        refused('name', socket.gethostbyname, 'localhost')
        """,
    ),
    attack(
        "the web",
        "plays on",
        """
        import urllib.request
        refused('get', urllib.request.urlopen, 'http://127.0.0.1:8000/', None, 1)
        """,
    ),
    attack(
        "its channel as a socket",
        "plays on",
        """
        for fd in (3, 4):
            refused("socket", lambda: socket.socket(fileno=fd).getpeername())
            refused("send", call, "send", fd, b"x", 1, 0)
        """,
    ),
    attack(
        "messages between processes",
        "plays on",
        """
        refused("msgget", call, "msgget", 77, 0o1666)
        refused("semget", call, "semget", 77, 1, 0o1666)
        refused("shmat", call, "shmget", 77, 4096, 0o1666)
        refused("mq_open", call, "mq_open", b"/maumau", 0o102, 0o600, 0)
        """,
    ),
)
