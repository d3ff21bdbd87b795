"use strict";
// A tournament that goes on: progress by the event stream, or by asking now and then where all
// streams are taken; the results part comes ready from the server.
(() => {
  const place = document.getElementById("live");
  const bar = document.getElementById("progress");
  const text = document.getElementById("progress-text");
  const results = document.getElementById("results");
  const numbers = new Intl.NumberFormat(place.dataset.language);
  const PAUSE = 2000;
  let drawn = 0, due = false, busy = false, source = null;

  function show(one) {
    bar.max = one.progress.games_total;
    bar.value = one.progress.games_played;
    text.textContent = place.dataset.played
      .replace("#1", numbers.format(one.progress.games_played))
      .replace("#2", numbers.format(one.progress.games_total));
    if (one.state === "finished" || one.state === "cancelled") {
      if (source) source.close();
      setTimeout(() => location.reload(), 300);
      return true;
    }
    refresh();
    return false;
  }

  async function refresh() {
    due = true;
    if (busy) return;
    busy = true;
    while (due) {
      due = false;
      const wait = drawn + PAUSE - Date.now();
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      drawn = Date.now();
      // Who reads or has something marked there is not disturbed.
      if (results.contains(document.activeElement)) continue;
      try {
        const answer = await fetch(place.dataset.results);
        if (answer.ok) {
          const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
          results.replaceChildren(...fresh.body.childNodes);
        }
      } catch { /* The server is away for a moment. */ }
    }
    busy = false;
  }

  async function poll() {
    for (;;) {
      await new Promise((done) => setTimeout(done, PAUSE));
      try {
        const answer = await fetch(place.dataset.poll);
        if (answer.ok && show(await answer.json())) return;
      } catch { /* Asked again. */ }
    }
  }

  source = new EventSource(place.dataset.events);
  for (const name of ["progress", "finished", "cancelled"]) {
    source.addEventListener(name, (event) => show(JSON.parse(event.data)));
  }
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) poll();
  });
})();
