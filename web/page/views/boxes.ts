// The boxes of a graph as elements, in the language of the page.
import { trusted } from "../trust.ts";
import type { Words } from "../words.ts";

/** The elements of SVG text that the library has drawn. */
export function boxes(text: string, words: Words): Node[] {
  const markup = `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`;
  const parsed = new DOMParser().parseFromString(trusted.createHTML(markup) as string, "image/svg+xml");
  // The details are shown in the panel instead.
  for (const title of parsed.querySelectorAll("title")) title.remove();
  for (const line of parsed.querySelectorAll("text.own")) {
    const english = line.textContent ?? "";
    line.textContent = words.inBox(english);
    if (!line.classList.contains("head")) continue;
    // The label begins with the first line.
    const box = line.closest("[role=option]");
    box?.setAttribute("aria-label", line.textContent + (box.getAttribute("aria-label") ?? "").slice(english.length));
  }
  return [...parsed.documentElement.children].map((part) => document.importNode(part, true));
}
