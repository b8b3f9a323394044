import { gzipSync } from "node:zlib"
import type { Response } from "playwright-core"
import { visit } from "./page.ts"
import { paintOf, slowly } from "./paint.ts"

/** A page's cost for a browser that has nothing of the service yet. */
export interface Cost {
  /** Bytes of the page and of all that it loads, packed. */
  readonly bytes: number
  /** Bytes of its scripts, packed. */
  readonly script: number
  /** Requests by type of resource: `document`, `stylesheet`, `script`, `image`, `other`. */
  readonly requests: Readonly<Record<string, number>>
  /** Cumulative layout shift while it arrives slowly. */
  readonly cls: number
}

/**
 * Bounds of every page's cost. Data that a script reads, such as proofs, are requests of no such bound. A line of text that
 * the network cuts may wrap when its rest comes: a tenth of what web.dev calls a good shift is for that.
 */
export const budget = { bytes: 60_000, script: 15_000, perType: 1, cls: 0.01 } as const

/** Loads a page slowly with an empty cache. */
export const costOf = async (url: string, width: number): Promise<Cost> => {
  const requests: Record<string, number> = {}
  const sizes: Array<Promise<readonly [type: string, bytes: number]>> = []
  let cls = 0
  await visit("cost", { viewport: { width, height: 900 } }, async ({ page }) => {
    await slowly(page)
    const note = (response: Response) => {
      const type = response.request().resourceType()
      requests[type] = (requests[type] ?? 0) + 1
      sizes.push(response.body().then((body) => [type, gzipSync(body).length] as const))
    }
    page.on("response", note)
    await page.goto(url, { waitUntil: "load" })
    cls = (await paintOf(page)).cls
    page.off("response", note)
    await Promise.all(sizes)
  })
  const all = await Promise.all(sizes)
  const sum = (of: (type: string) => boolean) => all.reduce((bytes, [type, size]) => bytes + (of(type) ? size : 0), 0)
  return { bytes: sum(() => true), script: sum((type) => type === "script"), requests, cls }
}

/** Bounds that a cost exceeds, a line each. */
export const excesses = ({ bytes, script, requests, cls }: Cost): ReadonlyArray<string> => [
  ...(bytes > budget.bytes ? [`${bytes} bytes`] : []),
  ...(script > budget.script ? [`${script} bytes of script`] : []),
  ...Object.entries(requests).flatMap(([type, count]) =>
    type !== "fetch" && count > budget.perType ? [`${count} requests: ${type}`] : [],
  ),
  ...(cls > budget.cls ? [`moves by ${cls}`] : []),
]
