// The languages of the web viewer.
import { zh } from "./chinese.ts";
import { en } from "./english.ts";

export const LANGUAGES = { en, zh };
export type Language = keyof typeof LANGUAGES;

/** The first supported language of the browser's list. */
export function preferred(languages: readonly string[]): Language {
  for (const language of languages) {
    if (language.startsWith("zh")) return "zh";
    if (language.startsWith("en")) return "en";
  }
  return "en";
}
