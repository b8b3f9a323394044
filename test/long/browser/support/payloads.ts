import type { Page } from "playwright-core"

const tags = [
  "script",
  "img src=x",
  "svg",
  "iframe",
  "body",
  "input autofocus",
  "details open",
  "a href=javascript:hit()",
  "math",
  "style",
]
const events = ["onload", "onerror", "onfocus", "ontoggle", "onclick"]
const wraps = ["%", '"%', "'%", '">%', "'>%", "</title>%", "</textarea>%", "<!--%-->", "]]>%", "\\u003c%"]

/** Texts that run `hit` in a page that takes them for anything but text. */
export const payloads: ReadonlyArray<string> = wraps.flatMap((wrap) =>
  tags.flatMap((tag) =>
    events.map((event) => wrap.replace("%", `<${tag} ${event}=hit()>hit()</${tag.split(" ")[0]}>`)),
  ),
)

/** Counts what runs in the pages that are opened from now on. */
export const counting = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "hit", { value: () => document.body.setAttribute("data-hit", "1") })
  })
}

export const hits = (page: Page): Promise<number> => page.locator("body[data-hit]").count()
