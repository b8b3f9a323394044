import type { DamagedLane, Source } from "./damagedWorld.ts"
import type { Shape } from "./damages.ts"
import { jsonRows, type Row } from "./payloadRows.ts"
import type { Route } from "./replay.ts"
import { worldUpstreams } from "./worldUpstreams.ts"

type Upstream = Source["upstream"]

const minute = 60_000
export const hour = 60 * minute
/** A Saturday in September: 11:00 in New York, every report of the day before is out. */
export const begin = Date.UTC(2026, 8, 12, 15, 0, 50)
export const today = "2026-09-12"
export const season = 2026

/** The generated world's answers at the time of each request. */
export const world = () => {
  let present = begin
  const upstreams = worldUpstreams(() => present, season)
  const at = (route: Route, now: number, request: Parameters<Source["reply"]>[0]) => {
    present = now
    return typeof route.reply === "function" ? route.reply(request) : route.reply
  }
  const fits = (path: string) => (route: Route) =>
    typeof route.path === "string" ? route.path === path : route.path.test(path)
  return {
    /** The endpoint that answers at a path. */
    source: (
      upstream: Upstream,
      path: string,
      rest: Omit<Source, "upstream" | "path" | "reply"> & Partial<Pick<Source, "path">>,
    ): Source => {
      const route = upstreams[upstream]!.find(fits(path))
      if (route === undefined) throw new Error(`${upstream} has nothing at ${path}.`)
      return { path: route.path, ...rest, upstream, reply: (request, now) => at(route, now, request) }
    },
    /** Upstreams that stay well. */
    well: (...names: ReadonlyArray<Upstream>): NonNullable<DamagedLane["others"]> =>
      Object.fromEntries(
        names.map((name) => [
          name,
          (now: () => number) =>
            upstreams[name]!.map((route) => ({ ...route, reply: (request) => at(route, now(), request) }) as Route),
        ]),
      ),
  }
}

/** A change of a payload of JSON. */
export const changed =
  // biome-ignore lint/suspicious/noExplicitAny: whatever an upstream sends
    (change: (value: any) => void) =>
    (text: string): string => {
      const value: unknown = JSON.parse(text)
      change(value)
      return JSON.stringify(value)
    }

/** Several sources in trouble at once. */
export const together = (title: string, ...sources: ReadonlyArray<Source>): Source => ({
  ...{ title, alongside: sources.map((source) => source.title), upstream: sources[0]!.upstream, path: "/none" },
  ...{ feeds: [...new Set(sources.flatMap(({ feeds }) => feeds))], reply: () => undefined },
  // Rows are damaged in the shape of each; only its figures are listed here.
  shape: sources[0]!.shape!,
})

export const rows = (pick: Parameters<typeof jsonRows>[0], rest: Omit<Shape, "format">): Shape => ({
  format: jsonRows(pick),
  ...rest,
})

export const later = (row: Row, name: string, hours: number): void => {
  row[name] = new Date(Date.parse(String(row[name])) + hours * hour).toISOString().replace(".000Z", "+00:00")
}
