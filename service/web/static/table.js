"use strict";
// A table without loading the page anew: the form's buttons work as ever, only the part that
// changes is fetched, and what is said is told to those who cannot see it.
(() => {
  const place = document.getElementById("table");
  const said = document.getElementById("said");
  let busy = false;

  function focusAfter(held) {
    const wanted = held && place.querySelector(`button[value="${CSS.escape(held)}"]`);
    const next = place.querySelector(".choices button[name='do'][value*='=']")
      || place.querySelector(".choices button[value='catch']")
      || wanted
      || place.querySelector(".card-button:not([aria-disabled])")
      || place.querySelector(".choices button, .choices a");
    next?.focus({ preventScroll: true });
  }

  place.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const form = event.target, button = event.submitter;
    const sent = new FormData(form, button);
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(sent), headers: { "X-Part": "1" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...fresh.body.childNodes);
      said.textContent = place.querySelector("[data-say]")?.textContent.trim() ?? "";
      focusAfter(button?.value);
    } catch {
      location.reload();
    }
    busy = false;
  });
})();
