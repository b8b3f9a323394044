import { assert } from "@effect/vitest"

/** Elements that have no end in HTML; a page that is XML too ends them itself. */
const isEmpty = new Set(["meta", "br", "hr", "input", "img", "link"])

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Everything between its tags, as it is written. */
  readonly text: string
}

const tag = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/y
const attribute = /([\w:-]+)(?:="([^"<]*)")?/g

/**
 * Every element of a page, whose tags must be closed in the order in which they were opened, with quoted attributes, each
 * once, and no bare `<` or `&` in text.
 */
export const elementsOf = (html: string): ReadonlyArray<Element> => {
  const found: Array<Element & { from: number; to: number }> = []
  const open: Array<(typeof found)[number]> = []
  const body = html.replace(/^<!doctype html>\s*/, "")
  assert.notStrictEqual(body, html, "There is no doctype.")
  let at = 0
  while (at < body.length) {
    const next = body.indexOf("<", at)
    const text = body.slice(at, next === -1 ? body.length : next)
    if (open.at(-1)?.name !== "style") assert.notMatch(text, /&(?!#?\w+;)/, `A bare & in ${text}`)
    if (next === -1) break
    tag.lastIndex = next
    const match = tag.exec(body)
    if (match === null) return assert.fail(`No tag: ${body.slice(next, next + 60)}`)
    const [whole, closing, name = "", attributes = "", itself] = match
    at = next + whole.length
    if (closing === "/") {
      const last = open.pop()
      assert.strictEqual(last?.name, name, `</${name}> at ${body.slice(next - 40, at)}`)
      last!.to = next
      continue
    }
    const pairs = [...attributes.matchAll(attribute)].map(([, key = "", value = ""]) => [key, value] as const)
    assert.strictEqual(new Set(pairs.map(([key]) => key)).size, pairs.length, `An attribute twice: ${whole}`)
    const element = { name, attributes: Object.fromEntries(pairs), text: "", from: at, to: at }
    found.push(element)
    if (itself !== "/" && !isEmpty.has(name)) open.push(element)
  }
  assert.deepStrictEqual(
    open.map(({ name }) => name),
    [],
    "Not closed.",
  )
  return found.map(({ from, to, ...element }) => ({ ...element, text: body.slice(from, to) }))
}
