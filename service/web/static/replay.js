"use strict";
// Steps without loading the page anew: each step comes ready from the server; this file fetches,
// shows, and keeps the address right. Without it every step is an ordinary link.
(() => {
  const place = document.getElementById("replay");
  const kept = new Map();
  let latest = 0;

  const now = () => place.querySelector(".replay-part").dataset;
  const query = (deal, step, seat) => `?deal=${deal}&step=${step}&seat=${seat}`;

  async function part(address) {
    if (!kept.has(address)) {
      if (kept.size > 60) kept.clear();
      kept.set(address, fetch(address).then((answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return answer.text();
      }));
      kept.get(address).catch(() => kept.delete(address));
    }
    return kept.get(address);
  }

  async function go(deal, step, seat) {
    const base = now().base, mine = ++latest;
    const wish = query(deal, step, seat);
    let html;
    try {
      html = await part(`${base}/step${wish}`);
    } catch {
      location.assign(base + wish);
      return;
    }
    if (mine !== latest) return;
    const active = document.activeElement;
    const held = active && place.contains(active)
      ? (active.dataset.go ? `[data-go="${active.dataset.go}"]`
        : active.name ? `[name="${active.name}"]` : active.classList.contains("log") ? ".log" : "")
      : "";
    const fresh = new DOMParser().parseFromString(html, "text/html");
    place.replaceChildren(...fresh.body.childNodes);
    history.replaceState(null, "", base + wish);
    if (held) place.querySelector(held)?.focus({ preventScroll: true });
    showNow();
    const one = now();
    const next = Number(one.step) + 1;
    if (next <= Number(one.last)) part(`${base}/step${query(one.deal, next, seat)}`).catch(() => {});
  }

  function showNow() {
    const log = place.querySelector(".log"), line = log?.querySelector(".now");
    if (line) log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
  }

  function move(where) {
    const one = now(), step = Number(one.step), last = Number(one.last), deal = Number(one.deal);
    const to = { first: 0, back: step - 1, on: step + 1, last }[where];
    if (to < 0 || to > last || to === step) return;
    go(deal, to, one.seat);
  }

  place.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go], a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (link.dataset.go) move(link.dataset.go);
    else go(now().deal, link.dataset.step, now().seat);
  });
  place.addEventListener("change", (event) => {
    if (!event.target.closest("form[method=get]")) return;
    const form = new FormData(event.target.form);
    const same = form.get("deal") === now().deal;
    go(form.get("deal"), same ? now().step : 0, form.get("seat"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const where = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
    const turn = { PageUp: -1, PageDown: 1 }[event.key];
    if (where) {
      event.preventDefault();
      move(where);
    } else if (turn) {
      const deal = Number(now().deal) + turn;
      if (deal < 0 || deal >= Number(now().deals)) return;
      event.preventDefault();
      go(deal, 0, now().seat);
    }
  });
  showNow();
})();
