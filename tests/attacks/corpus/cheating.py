"""Cheating: more than the observation, other games, other seats, the arena's own code."""

from tests.attacks.corpus.attack import attack

ATTACKS = (
    attack(
        "see other hands",
        "plays on",
        """
        text = obs.to_json()
        for number, name in enumerate(dir(obs)):
            value = getattr(obs, name)
        known = set(obs.hand) | set(obs.discard_pile) | set(obs.turned_up)
        known |= {card for event in obs.events for card in (*event.cards, event.action[:2])}
        import re
        shown = set(re.findall(r'"([2-9TJQKAX][cdhs12])"', text))
        if not shown <= known: got_out(str(shown - known))
        for name in ("_deal", "_state", "state", "deal", "stock", "hands", "order"):
            if hasattr(obs, name): got_out(name)
        """,
    ),
    attack(
        "change the observation",
        "plays on",
        """
        before = obs.to_json()
        for name in ("hand", "legal_actions", "top_card", "wish", "owed"):
            try: setattr(obs, name, ())
            except AttributeError: continue
            got_out(name)
        try: obs.hand.append("Js")
        except AttributeError: pass
        if obs.to_json() != before: got_out("changed")
        """,
    ),
    attack(
        "give itself better cards",
        "illegal_action|crash",
        """
        real = set(obs.legal_actions)
        obs._now[11] = (1 << 52) - 1
        return next(a for a in obs.legal_actions if a not in real)
        """,
    ),
    attack(
        "change the rules",
        "plays on|crash",
        """
        obs.rules.data["hand_size"] = 1
        obs.rules.data["effects"].clear()
        """,
    ),
    attack(
        "take over the arena's functions",
        "protocol|illegal_action|crash|timeout|plays on",
        """
        from maumau.arena import botgames, wire
        wire.encode_answers = lambda *a: b"\\xc0"
        botgames.BotGames.ask = lambda *a: ([541], [])
        """,
    ),
    attack(
        "change the table of actions",
        "illegal_action|plays on",
        """
        from maumau.rules import actions
        actions.ACTION_NUMBER.clear()
        """,
    ),
    attack(
        "win by answering for others",
        "protocol",
        """
        import msgspec
        frame = sys._getframe()
        while "nonce" not in frame.f_locals: frame = frame.f_back
        body = msgspec.msgpack.encode((frame.f_locals["nonce"], [541] * 99, []))
        os.write(4, len(body).to_bytes(4, "little") + body)
        """,
        detail="answers to",
    ),
    attack(
        "know the seed",
        "plays on",
        """
        import hashlib, random
        if "seed" in obs.to_json(): got_out("seed")
        for thing in gc.get_objects():
            if isinstance(thing, dict):
                for value in list(thing.values()):
                    if type(value) is str and value.startswith("attack seed"): got_out(value)
        """,
    ),
    attack(
        "trace the arena's code",
        "plays on|timeout",
        """
        def trace(frame, event, value): return trace
        sys.settrace(trace)
        sys.setprofile(trace)
        """,
    ),
    attack(
        "hooks for everything",
        "plays on|crash|timeout|protocol",
        """
        import builtins, random
        random.seed(0)
        builtins.len = lambda x: 3
        sys.excepthook = sys.unraisablehook = lambda *a: os._exit(1)
        sys.addaudithook(lambda *a: None)
        gc.callbacks.append(lambda *a: None)
        """,
    ),
)
