import { assert } from "@effect/vitest"
import * as Option from "effect/Option"
import { type Running, start } from "../../../support/running.ts"

/** The site of the served documents. */
export const site = "https://api.example.com"

/** A server for tests of its documents and pages. */
export const startSite = (): Promise<Running> =>
  start({
    http: { host: "127.0.0.1", port: 0, baseUrl: Option.some(site) },
    securityContact: Option.some("mailto:security@example.com"),
  })

/** Reads what a server answers, which has to be good. */
export const reading = (running: () => Running) => {
  const fetched = (path: string) => fetch(running().url + path)
  const good = async (path: string) => {
    const response = await fetched(path)
    assert.strictEqual(response.status, 200, path)
    return response
  }
  return {
    fetched,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire brought
    json: async (path: string) => (await (await good(path)).json()) as any,
    text: async (path: string) => (await good(path)).text(),
  }
}
