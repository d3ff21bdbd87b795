"use strict";
// What all pages share: copy buttons. Every page works without this file.
document.documentElement.classList.add("js");
for (const place of document.querySelectorAll(".copyable")) {
  if (!navigator.clipboard) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = place.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(place.querySelector("pre").textContent);
    button.textContent = place.dataset.copied;
    setTimeout(() => { button.textContent = place.dataset.copy; }, 1500);
  });
  place.append(button);
}
for (const field of document.querySelectorAll("select[data-submit]")) {
  field.addEventListener("change", () => field.form.requestSubmit());
}
