// Open tabs of the dashboard beside a bench, each of a session of its own: they look at the values of its account as pages do.
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

/** Tabs that look every two seconds and have had their first values. */
export interface Tabs {
  /** Answers with values so far. */
  readonly events: () => number
  readonly close: () => void
}

const everyMs = 2_000

export const open = async (url: string, cookies: ReadonlyArray<string>): Promise<Tabs> => {
  const page = await (await fetch(`${url}/dashboard`, { headers: { cookie: cookies[0]! } })).text()
  const account = /data-live-account="([^"]*)"/.exec(page)![1]!
  let events = 0
  const tags = new Map<string, string>()
  const look = async (cookie: string): Promise<void> => {
    const answer = await fetch(`${url}/dashboard/live.json?account=${account}`, {
      headers: { cookie, "if-none-match": tags.get(cookie) ?? "" },
    })
    if (answer.status === 304) return
    if (answer.status !== 200) throw new Error(`A tab was answered by ${answer.status}.`)
    await answer.text()
    tags.set(cookie, answer.headers.get("etag")!)
    events++
  }
  await Promise.all(cookies.map(look))
  const timer = setInterval(() => void Promise.all(cookies.map(look)), everyMs)
  return { events: () => events, close: () => clearInterval(timer) }
}
