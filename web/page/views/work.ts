// Long-running work, with progress and a button to cancel it.
import type { App } from "../app.ts";
import { size } from "../app.ts";
import type { Client, Progress } from "../client.ts";
import { Cancelled } from "../client.ts";
import { h } from "../dom.ts";

// Shorter work shows no progress.
const DELAY = 150;

/** Runs work, and shows its progress in `place`, which is empty otherwise. */
export async function work(
  app: App,
  client: Client,
  place: HTMLElement,
  todo: (progress: Progress) => Promise<void>,
  again: () => unknown = () => work(app, client, place, todo),
): Promise<void> {
  const { words } = app;
  const bar = h("progress", { max: 1, "aria-label": words.working });
  const count = h("span", { class: "faint" });
  const cancel = h("button", { type: "button", onclick: () => client.cancel() }, words.cancel);
  const shown = setTimeout(() => place.replaceChildren(h("div", { class: "work" }, bar, count, cancel)), DELAY);
  place.replaceChildren();
  try {
    await todo((done, all) => {
      // Work on nothing is done; 0 / 0 is not a number that a progress bar accepts.
      bar.value = all === 0 ? 1 : done / all;
      count.textContent = words.ofAll(size(done), size(all));
    });
    clearTimeout(shown);
    place.replaceChildren();
  } catch (error) {
    clearTimeout(shown);
    if (error instanceof Cancelled) {
      const isHere = document.activeElement === cancel;
      const retry = h("button", { type: "button", class: "again", onclick: again }, words.again);
      place.replaceChildren(h("div", { class: "work" }, h("span", { class: "faint", role: "status" }, app.why(error)), retry));
      if (isHere) retry.focus();
    } else {
      place.replaceChildren(h("p", { class: "error", role: "alert" }, app.why(error)));
    }
  }
}
