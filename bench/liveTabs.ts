// Open tabs of the dashboard beside a bench: streams of its account, each of a session of its own, as if no browser had
// several tabs.
import { get } from "node:http"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { peopleVerbs } from "../adapters/admin/peopleVerbs.ts"
import { makeAsk } from "../services/cli/ask.ts"
import { enter } from "../test/adapters/web/dashboard/visitor.ts"
import type { Place } from "./targets.ts"

/** The cookies of so many people of an account who have signed in. */
export const signedIn = async (
  { environment }: Place,
  url: string,
  account: string,
  count: number,
): Promise<ReadonlyArray<string>> => {
  const names = Array.from({ length: count }, (_, n) => `viewer ${n}`)
  const links = await Effect.flatMap(makeAsk("dashboard link"), ({ verb }) =>
    Effect.forEach(names, (name) => verb(peopleVerbs.dashboardLink, { account, name })),
  ).pipe(Effect.scoped, Effect.withConfigProvider(ConfigProvider.fromJson(environment)), Effect.runPromise)
  const cookies: Array<string> = []
  for (const { path } of links) {
    const { headers, status } = await enter(url, path.split("#")[1]!)
    const cookie = headers.get("set-cookie")?.split(";")[0]
    if (cookie === undefined) throw new Error(`A link was answered by ${status}.`)
    cookies.push(cookie)
  }
  return cookies
}

/** Streams that are open and have brought their first values. */
export interface Tabs {
  /** Events with values so far. */
  readonly events: () => number
  readonly close: () => void
}

export const open = async (url: string, cookies: ReadonlyArray<string>): Promise<Tabs> => {
  let events = 0
  const streams = await Promise.all(
    cookies.map(
      (cookie) =>
        new Promise<() => void>((resolve, reject) => {
          const asked = get(`${url}/dashboard/events`, { headers: { cookie }, agent: false }, (response) => {
            if (response.statusCode !== 200)
              return reject(new Error(`A stream was answered by ${response.statusCode}.`))
            response.setEncoding("utf8").on("data", (text: string) => {
              events += text.split("event: values").length - 1
              if (events > 0) resolve(() => void asked.destroy())
            })
            response.once("error", () => {})
          }).once("error", reject)
        }),
    ),
  )
  return {
    events: () => events,
    close: () => {
      for (const close of streams) close()
    },
  }
}
