import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import type { Report } from "../../../adapters/server/http/health.ts"
import { emptySite, Site } from "../../../adapters/server/http/Site.ts"
import { type LaneDay, make, Service } from "../../../adapters/web/StatusPage.tsx"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import { fail } from "../../../core/Failure.ts"

const at = "2026-11-27T20:59:34.000Z"
const now = Date.parse(at)
const today = Math.floor(now / 86_400_000)

type Feed = NonNullable<Report["feeds"]>[number]

const feed = (title: string, changes: Partial<Feed> = {}): Feed => ({
  ...{ feed: title, title, lane: "weather", absence: `${title} are refused.`, state: "complete", answers: true },
  ...{ newest: null, expected: null, missing: 0, last_good_at: null, last_attempt_at: null },
  ...{ next_attempt_at: null, refusal: null, new_fields: [], detail: null },
  ...changes,
})

const stations = ["KNYC", "KMDW", "KMIA", "KAUS", "KLAX", "KDEN", "KPHL", "KBOS", "KHOU"]
const ofStations = (title: string, changes: Partial<Feed>) =>
  stations.map((id) => feed(`${title} of ${id}`, { absence: `${title} are refused.`, ...changes }))

const late = { state: "behind", answers: false, next_attempt_at: "2026-11-27T21:45:00.000Z" } as const

const down = (lane: string, detail: string) => ({
  ...({ lane, state: "down", since: "2026-11-27T20:59:13.000Z", detail } as const),
  ...{ last_good_at: null, age_seconds: null, stale: true },
})

/** Two lanes whose sources have not answered since the start, as a server with dead ports says. */
const twoDown: Report = {
  status: "degraded",
  at,
  lanes: [
    down("weather", "No answer from api.weather.gov and 3 others."),
    down("crypto", "No answer from api.exchange.coinbase.com or api.kraken.com."),
  ],
  feeds: [
    ...ofStations("Final climate reports", { ...late, expected: "2026-11-26" }),
    ...ofStations("Observations", { answers: false }),
    feed("Forecasts of the National Blend of Models", { ...late, absence: "Less confident." }),
    feed("Forecasts of the GFS MOS", { ...late, absence: "Less confident." }),
    feed("BTC candles", { ...late, lane: "crypto", absence: "No signals.", expected: "2026-11-27T20:57Z" }),
    feed("ETH candles", { ...late, lane: "crypto", absence: "No signals.", expected: "2026-11-27T20:57Z" }),
  ],
  jobs: [{ name: "weather-reports", state: "failed", last_ok_at: null, overdue: true }],
  record: { leaves: 0, last_checkpoint: null, refused: null },
}
const modes: Readonly<Record<string, Freshness>> = {
  ...{ weather: "live", football: "mock", baseball: "mock" },
  ...{ crypto: "live", markets: "shadow", filings: "mock" },
}

const answer = (report: Report, laneDays?: Parameters<typeof make>[2], site = emptySite) => {
  const route = make(Effect.succeed({ report }), modes, laneDays)
  if (route.handler._tag !== "App") throw new Error("The page is an application.")
  return (route.handler.app as Effect.Effect<{ readonly status: number; readonly body: unknown }, unknown, Site>).pipe(
    Effect.provideService(Site, site),
    Effect.map(({ status, body }) => {
      assert.strictEqual(status, 200)
      return new TextDecoder().decode((body as { readonly body: Uint8Array }).body)
    }),
  )
}

/** The text of the page's own part that is seen before anything is unfolded. */
const seen = (html: string): string =>
  /<main[^>]*>(.*)<\/main>/s
    .exec(html)![1]!
    .replace(/<\/summary>.*?<\/details>/gs, " ")
    .replace(/<svg.*?<\/svg>/gs, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()

const wordsOf = (text: string) => text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word))

const rowsOf = (html: string) =>
  [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) =>
      cell!
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    ),
  )

describe("the status page with two lanes down", () => {
  it.effect("says each fact once, in 60 words", () =>
    Effect.gen(function* () {
      const text = seen(yield* answer(twoDown, Effect.succeed([])))
      assert.strictEqual(
        text,
        [
          "Status ■ 2 of 6 lanes are down. Calls for their data answer 503 and cost nothing.",
          "Checked 27 Nov 2026, 20:59 UTC",
          "Weather ■ Down since 20:59 No answer from api.weather.gov and 3 others.",
          "Football Sample data ● Up Baseball Sample data ● Up",
          "Crypto ■ Down since 20:59 No answer from api.exchange.coinbase.com or api.kraken.com.",
          "Markets Sample data ● Up Filings Sample data ● Up",
        ].join(" "),
      )
      assert.isAtMost(wordsOf(text).length, 60)
    }),
  )

  it.effect("has no jobs, and like feeds in one row, none of them green", () =>
    Effect.gen(function* () {
      const html = yield* answer(twoDown)
      assert.notInclude(html, "weather-reports")
      const head = ["Feed", "State", "Latest", "Expected"]
      assert.deepStrictEqual(rowsOf(html), [
        head,
        ["Final climate reports of KNYC and 8 more Final climate reports are refused.", "▲ late", "–", "26 Nov 2026"],
        ["Observations of KNYC and 8 more Observations are refused.", "▲ no answer", "–", "–"],
        ["Forecasts of the National Blend of Models and 1 more Less confident.", "▲ late", "–", "–"],
        head,
        ["BTC candles and 1 more No signals.", "▲ late", "–", "27 Nov 2026, 20:57 UTC"],
      ])
      assert.strictEqual(html.match(/badge ok/g)?.length, 4)
    }),
  )
})

describe("a row of feeds", () => {
  const rows = (feeds: ReadonlyArray<Feed>, isOperatorView: boolean) =>
    rowsOf(renderToStaticMarkup(h(Service, { report: { status: "ready", feeds }, modes, now, isOperatorView }))).slice(
      1,
    )

  it("is of those that are in the same state; operators see when they were read", () => {
    const read = { newest: "2026-11-26", expected: "2026-11-26", next_attempt_at: "2026-11-27T21:45:00.000Z" }
    const found = rows(
      [
        feed("A of KNYC", { ...read, absence: "x", last_good_at: "2026-11-27T20:46:00.000Z" }),
        feed("A of KMIA", { ...read, absence: "x", last_good_at: "2026-11-27T20:45:00.000Z" }),
        feed("A of KBOS", { ...read, absence: "x", newest: "2026-11-25" }),
        feed("Alerts"),
      ],
      true,
    )
    const next = "27 Nov 2026, 21:45 UTC"
    assert.deepStrictEqual(found, [
      ["A of KNYC and 1 more", "● complete", "26 Nov 2026", "26 Nov 2026", "27 Nov 2026, 20:45 UTC", next],
      ["A of KBOS", "● complete", "25 Nov 2026", "26 Nov 2026", "–", next],
      ["Alerts", "● fetched per call", "–", "–", "–", "with the next call"],
    ])
  })
})

describe("the days of a lane", () => {
  const days: ReadonlyArray<LaneDay> = [
    { lane: "weather", day: today - 90, checks: 5, good: 0 },
    { lane: "weather", day: today - 89, checks: 288, good: 288 },
    { lane: "weather", day: today - 1, checks: 2_000, good: 1_999 },
    { lane: "weather", day: today, checks: 100, good: 50 },
    { lane: "markets", day: today, checks: 100, good: 50 },
  ]

  it.effect("are bars whose height is the share of good checks; the picture says how many are blank", () =>
    Effect.gen(function* () {
      const html = yield* answer(twoDown, Effect.succeed(days))
      const label = "Weather, last 90 days: up in 2,337 of 2,388 checks; 87 days without checks are blank."
      assert.include(html, `aria-label="${label}"><title>${label}</title>`)
      assert.include(html, 'aria-label="Crypto, last 90 days: not checked yet."')
      assert.include(html, "Markets, last 90 days: up in 50 of 100 checks; 89 days without checks are blank.")
      const bars = [...html.matchAll(/<rect class="(\w+)" x="(\d+)" y="([\d.]+)" width="3" height="([\d.]+)"/g)]
      assert.deepStrictEqual(
        bars.map(([, ...bar]) => bar),
        [
          ["up", "0", "0", "24"],
          ["up", "352", "2", "22"],
          ["down", "352", "0", "2"],
          ["up", "356", "12", "12"],
          ["down", "356", "0", "12"],
          ["up", "356", "12", "12"],
          ["down", "356", "0", "12"],
        ],
      )
      assert.include(html, "<title>26 Nov 2026: up in 1,999 of 2,000 checks</title>")
    }),
  )

  it.effect("are followed by those that had an incident, the newest first", () =>
    Effect.gen(function* () {
      const text = seen(yield* answer(twoDown, Effect.succeed(days)))
      assert.include(
        text,
        "Incidents Checked every 5 minutes since 30 Aug 2026. " +
          "27 Nov 2026 Markets not up in 50 of 100 checks, Weather not up in 50 of 100 checks " +
          "26 Nov 2026 Weather not up in 1 of 2,000 checks",
      )
      const none = seen(yield* answer(twoDown, Effect.succeed(days.slice(1, 2))))
      assert.include(none, "None in the last 90 days.")
      assert.notInclude(seen(yield* answer(twoDown, Effect.succeed([]))), "Incidents")
    }),
  )

  it.effect("are left out where they cannot be read, or nothing was checked", () =>
    Effect.gen(function* () {
      assert.notInclude(yield* answer(twoDown, Effect.fail(fail("storage_unavailable"))), 'class="days"')
      assert.notInclude(yield* answer({ status: "unavailable" }, Effect.succeed(days)), 'class="days"')
    }),
  )
})

describe("the status page", () => {
  it.effect("leads to the report where that is served", () =>
    Effect.gen(function* () {
      const served = yield* answer(twoDown, undefined, { served: (path) => path === "/readyz" })
      assert.include(served, 'Checked <a href="/readyz">27 Nov 2026, 20:59 UTC</a>')
      assert.notInclude(yield* answer(twoDown), "/readyz")
      assert.notInclude(yield* answer({ status: "ready" }), "Checked")
    }),
  )

  it.effect("calls nothing up while the store is away", () =>
    Effect.gen(function* () {
      const text = seen(yield* answer({ status: "unavailable", store: { writable: false } }))
      assert.include(
        text,
        "Paid calls cannot be answered now, and are not charged. Store ■ stopped It accepts no writes.",
      )
      assert.notInclude(text, "Up")
    }),
  )
})
