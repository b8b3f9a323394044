import { readFileSync } from "node:fs"

/**
 * What browsers and verifiers load as it is. Read here, by its place: the bundler knows this file alone as one that reads
 * others.
 */
export const files = {
  ages: readFileSync(new URL("./dashboard/browser/ages.js", import.meta.url), "utf8"),
  clock: readFileSync(new URL("./view/browser/clock.js", import.meta.url), "utf8"),
  copy: readFileSync(new URL("./view/browser/copy.js", import.meta.url), "utf8"),
  enter: readFileSync(new URL("./dashboard/browser/enter.js", import.meta.url), "utf8"),
  filters: readFileSync(new URL("./view/browser/filters.js", import.meta.url), "utf8"),
  forms: readFileSync(new URL("./dashboard/browser/forms.js", import.meta.url), "utf8"),
  live: readFileSync(new URL("./dashboard/browser/live.js", import.meta.url), "utf8"),
  plot: readFileSync(new URL("./view/browser/plot.js", import.meta.url), "utf8"),
  record: readFileSync(new URL("./record/browser/record.js", import.meta.url), "utf8"),
  sections: readFileSync(new URL("./view/browser/sections.js", import.meta.url), "utf8"),
  plotStyle: readFileSync(new URL("./view/plot.css", import.meta.url), "utf8"),
  style: readFileSync(new URL("./view/style.css", import.meta.url), "utf8"),
  verifier: readFileSync(new URL("./record/verifier.mjs", import.meta.url), "utf8"),
} as const
