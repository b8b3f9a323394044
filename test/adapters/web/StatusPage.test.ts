import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import type { Report } from "../../../adapters/server/http/health.ts"
import { bare, Site } from "../../../adapters/server/http/Site.ts"
import { age, Feeds, Lanes, make } from "../../../adapters/web/StatusPage.tsx"

describe("an age", () => {
  it.each([
    [0, "0 s"],
    [119.9, "119 s"],
    [120, "2 min"],
    [7_199, "119 min"],
    [7_200, "2 h"],
    [172_799, "47 h"],
    [172_800, "2 d"],
    [259_199, "2 d"],
  ])("of %d seconds is %s: a unit from two of it on", (seconds, text) => {
    assert.strictEqual(age(seconds), text)
  })

  it("that is not known is a dash", () => {
    assert.strictEqual(age(null), "–")
  })
})

const at = "2026-11-24T21:05:00.123Z"

const lane = (name: string, stale: boolean, seconds: number | null) => ({
  lane: name,
  last_good_at: seconds === null ? null : "2026-11-24T20:55:00.000Z",
  age_seconds: seconds,
  stale,
})

const cellsOf = (html: string) =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell!.replace(/<[^>]*>/g, "").trim()),
  )

describe("the table of lanes", () => {
  it("has the lanes with their data, state and age, those without a row of the report too", () => {
    const report: Report = { status: "ready", lanes: [lane("weather", false, 600), lane("sports", true, null)] }
    const modes = { weather: "live", sports: "live", markets: "mock" } as const
    const html = renderToStaticMarkup(h(Lanes, { report, modes, now: Date.parse(at) }))
    assert.deepStrictEqual(cellsOf(html), [
      ["Lane", "Data", "State", "Last good", "Age"],
      ["weather", "live", "● fresh", "2026-11-24 20:55:00", "10 min"],
      ["sports", "live", "■ no data", "–", "–"],
      ["markets", "mock", "● generated", "–", "–"],
    ])
  })
})

describe("the table of feeds", () => {
  const feed = (title: string, changes: Partial<NonNullable<Report["feeds"]>[number]> = {}) => ({
    ...{ feed: title, title, lane: "weather", state: "complete" as const, newest: null, expected: null },
    ...{ missing: 0, last_good_at: null, last_attempt_at: null, next_attempt_at: null },
    ...{ refusal: null, new_fields: [], detail: null },
    ...changes,
  })

  it("is there from the first feed on", () => {
    assert.strictEqual(renderToStaticMarkup(h(Feeds, { feeds: [] })), "")
    const due = { newest: "2026-11-23", expected: "2026-11-24", last_good_at: at, next_attempt_at: at }
    const html = renderToStaticMarkup(
      h(Feeds, {
        feeds: [feed("alerts"), feed("reports", { ...due, state: "behind", detail: "One day is missing." })],
      }),
    )
    assert.deepStrictEqual(cellsOf(html), [
      ["Feed", "State", "Newest", "Due", "Last read", "Next attempt"],
      ["alerts", "● asked on every call", "–", "–", "–", "with the next call"],
      ["reports", "▲ late", "2026-11-23", "2026-11-24", "2026-11-24 21:05:00", "2026-11-24 21:05:00"],
    ])
    assert.strictEqual(cellsOf(renderToStaticMarkup(h(Feeds, { feeds: [feed("alerts")] }))).length, 2)
  })
})

const answer = (report: Report, site = bare) => {
  const route = make(Effect.succeed({ report }), { weather: "live" })
  if (route.handler._tag !== "App") throw new Error("The page is an application.")
  return (route.handler.app as Effect.Effect<{ readonly status: number; readonly body: unknown }, unknown, Site>).pipe(
    Effect.provideService(Site, site),
    Effect.map(({ status, body }) => ({
      status,
      html: new TextDecoder().decode((body as { readonly body: Uint8Array }).body),
    })),
  )
}

describe("the status page", () => {
  it.effect("says when it was checked, and whence it is where that is served", () =>
    Effect.gen(function* () {
      const checked = { status: "ready", at }
      const { status, html } = yield* answer(checked, { served: (path) => path === "/readyz" })
      assert.strictEqual(status, 200)
      assert.include(html, `Checked <time datetime="${at}">2026-11-24 21:05:00</time> from the same report as `)
      assert.include((yield* answer(checked)).html, "2026-11-24 21:05:00</time>.</p>")
      assert.notInclude((yield* answer({ status: "ready" })).html, "Checked")
    }),
  )

  it.effect("has jobs and the record where the report has them", () =>
    Effect.gen(function* () {
      const none = yield* answer({ status: "ready", at, jobs: [] })
      assert.notInclude(none.html, "<h2>Jobs</h2>")
      assert.notInclude(none.html, "<h2>Record</h2>")
      const { html } = yield* answer({
        status: "ready",
        at,
        jobs: [{ name: "retention", state: "ok", last_ok_at: at, overdue: false }],
        record: { leaves: 12_345, last_checkpoint: { at, size: 12_000 }, refused: null },
      })
      assert.include(html, '<th scope="row">retention</th>')
      assert.include(html, "<dd>12,345</dd>")
      assert.include(html, "2026-11-24 21:05:00</time>, 12,000 leaves")
    }),
  )

  it.effect("says of a record without a checkpoint that there is none yet", () =>
    Effect.gen(function* () {
      const record = { leaves: 0, last_checkpoint: null, refused: null }
      assert.include((yield* answer({ status: "ready", at, record })).html, "<dd>none yet</dd>")
    }),
  )
})
