import { assert } from "@effect/vitest"
import type { Visitor } from "../visitor.ts"

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Pages of an account with ten thousand of something are as small and quick as with ten. */
export const assertSmallAndQuick = async (visitor: Visitor, paths: ReadonlyArray<string>): Promise<void> => {
  for (const path of paths) {
    const taken: Array<number> = []
    for (let n = 0; n < 5; n++) {
      const begun = performance.now()
      const { status, html } = await visitor.get(`/dashboard${path}`)
      taken.push(performance.now() - begun)
      assert.strictEqual(status, 200, path)
      assert.isBelow(Buffer.byteLength(html), 60_000, path)
    }
    // A page of ten takes a tenth of this; ten times as long leaves room for a busy machine.
    assert.isBelow(median(taken), 250, path)
  }
}

/**
 * The ids on all pages of a list, from its first one on.
 *
 * @param what is listed, as the link to the next page names it
 */
export const readAllPages = async (
  visitor: Visitor,
  first: string,
  what: string,
  idsIn: (html: string) => ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let path: string | undefined = first; path !== undefined; ) {
    const { html } = await visitor.get(path)
    // The list itself; ended ones are folded below the first page.
    ids.push(...idsIn(html.split("<details>")[0]!))
    path = new RegExp(`<a href="([^"]+)">Older ${what}`).exec(html)?.[1]?.replaceAll("&amp;", "&")
  }
  return ids
}
