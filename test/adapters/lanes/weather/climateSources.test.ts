import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as afos from "../../../../adapters/lanes/weather/iem/afos.ts"
import * as Iem from "../../../../adapters/lanes/weather/iem/api.ts"
import * as climateDays from "../../../../adapters/lanes/weather/iem/climateDays.ts"
import { drawIssuance } from "../../../../adapters/lanes/weather/mock/reports.ts"
import { Nws } from "../../../../adapters/lanes/weather/nws/api.ts"
import * as products from "../../../../adapters/lanes/weather/nws/products.ts"
import { layer as nwsLayer } from "../../../../adapters/lanes/weather/nws/source.ts"
import type { RequestPolicy, UpstreamError } from "../../../../adapters/runtime/upstream/upstream.ts"
import type { Failure } from "../../../../core/Failure.ts"
import type { ClimateDays, ProductSource } from "../../../../core/lanes/weather/ports.ts"
import { byId, climateDayStart } from "../../../../core/lanes/weather/stations.ts"
import { archiveRoutes, archiveRow, issued, productRoutes } from "../../../support/climateUpstreams.ts"
import { clockAt } from "../../../support/clock.ts"
import { faults } from "../../../support/faults.ts"
import { impatient, patient } from "../../../support/policy.ts"
import { describeRealData } from "../../../support/realData.ts"
import { type Fault, json, type Replay, type Route, recorded, replay } from "../../../support/replay.ts"

const now = Date.UTC(2026, 6, 9, 18)
const newYork = byId.get("KNYC")!
const userAgent = "market-signals (tests)"

interface Sources {
  readonly days: typeof ClimateDays.Service
  readonly iem: ProductSource
  readonly nws: ProductSource
}

/** Asks the sources over a real socket, by the clock of the test. */
const asking = <A>(
  { url }: Pick<Replay, "url">,
  question: (sources: Sources) => Effect.Effect<A, Failure>,
  policy: RequestPolicy = patient,
): Effect.Effect<A, Failure> =>
  Effect.flatMap(Effect.all([Iem.Iem, Nws]), ([iem, nws]) =>
    question({ days: climateDays.make(iem), iem: afos.make(iem), nws: products.make(nws) }),
  ).pipe(
    Effect.provide(
      Layer.merge(
        Iem.layer({ iem: url, userAgent }, { ...policy, gapMs: 0 }),
        nwsLayer({ nws: url, userAgent }, policy),
      ).pipe(Layer.provide(FetchHttpClient.layer)),
    ),
    Effect.withClock(clockAt(now)),
  )

const answering = <A>(routes: ReadonlyArray<Route>, question: (sources: Sources) => Effect.Effect<A, Failure>) =>
  Effect.flatMap(replay(routes), (upstream) => asking(upstream, question))

const final = drawIssuance(newYork, "2026-07-08", "final")
const archive = (...rows: ReadonlyArray<unknown>): ReadonlyArray<Route> => [
  { path: "/json/cli.py", reply: json({ results: rows, generated_at: "2026-07-09T18:00:00Z" }) },
]

describe("the archive of daily reports", () => {
  it.scopedLive("is asked for a year of a station under our name, and gives rows as they are printed", () =>
    Effect.gen(function* () {
      const upstream = yield* replay(archive(archiveRow(final), archiveRow(final, { valid: "2026-07-09", high: "M" })))
      const [first, second, ...more] = yield* asking(upstream, ({ days }) => days.year(newYork, 2026))
      assert.strictEqual(more.length, 0)
      assert.deepStrictEqual(
        { ...first, text: "" },
        {
          day: "2026-07-08",
          productId: final.productId,
          name: "CENTRAL PARK",
          high: 81,
          highTime: "542 PM",
          low: 69,
          lowTime: "600 AM",
          precip: 0.3,
          snow: 0,
          text: "",
        },
      )
      // The whole row is kept for audits, also what is not read.
      assert.deepStrictEqual(JSON.parse(first!.text), archiveRow(final))
      assert.deepStrictEqual([second!.day, second!.high], ["2026-07-09", "M"])
      const [{ path, query, headers }] = upstream.requests as [(typeof upstream.requests)[0]]
      assert.deepStrictEqual([path, query.get("station"), query.get("year")], ["/json/cli.py", "KNYC", "2026"])
      assert.strictEqual(headers["user-agent"], userAgent)
    }),
  )

  const malformed: ReadonlyArray<readonly [name: string, changes: Readonly<Record<string, unknown>>]> = [
    ["of another station", { station: "KLGA" }],
    ["of another year", { valid: "2025-07-08" }],
    ["of no day", { valid: "2026-02-30" }],
    ["of a day in words", { valid: "July 8" }],
    ["with a high that is a list", { high: [85] }],
    ["with a high that is true", { high: true }],
    ["with a product that is a number", { product: 7 }],
    ["with a time that is a number", { high_time: 347 }],
    ["without a name", { name: null }],
    ["with an empty name", { name: "" }],
    ["without rain", { precip: undefined }],
  ]
  for (const [name, changes] of malformed) {
    it.scopedLive(`has failed when a row is ${name}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(
          answering(archive(archiveRow(final), archiveRow(final, changes)), ({ days }) => days.year(newYork, 2026)),
        )
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.include(["shape", "implausible"], (failure.cause as UpstreamError).reason)
      }),
    )
  }

  it.scopedLive("is asked one thing after the other", () =>
    Effect.gen(function* () {
      let open = 0
      let most = 0
      const upstream = yield* replay([
        {
          path: "/json/cli.py",
          reply: () => {
            open++
            most = Math.max(most, open)
            return json({ results: [] })
          },
        },
      ])
      upstream.spoil((good, response) => {
        setTimeout(() => {
          open--
          faults.none(good, response)
        }, 10)
      })
      yield* asking(upstream, ({ days }) =>
        Effect.forEach([2021, 2022, 2023, 2024], (year) => days.year(newYork, year), { concurrency: "unbounded" }),
      )
      assert.deepStrictEqual([upstream.requests.length, most], [4, 1])
    }),
  )
})

const everything = [...archiveRoutes(() => now), ...productRoutes(() => now)]

for (const name of ["iem", "nws"] as const) {
  describe(`the feed of products of ${name}`, () => {
    it.scopedLive("lists what was issued since, and gives each text whole", () =>
      Effect.gen(function* () {
        const from = climateDayStart(newYork, "2026-07-08")
        const expected = issued(newYork, ["2026-07-07", "2026-07-08", "2026-07-09"], now).filter(
          ({ issuedAt }) => issuedAt >= from,
        )
        assert.isAtLeast(expected.length, 3)
        const upstream = yield* replay(everything)
        const [listed, texts] = yield* asking(upstream, (sources) =>
          Effect.gen(function* () {
            const feed = sources[name]
            const found = yield* feed.list(newYork, from, now)
            return [found, yield* Effect.forEach(found, ({ id }) => feed.text(newYork, id))] as const
          }),
        )
        const inOrder = <A extends { readonly issuedAt: number }>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
          [...all].sort((a, b) => a.issuedAt - b.issuedAt)
        assert.deepStrictEqual(
          inOrder(listed),
          inOrder(expected).map(({ id, issuedAt }) => ({ id, issuedAt })),
        )
        assert.deepStrictEqual([...texts].sort(), expected.map(({ text }) => text).sort())
        for (const { headers } of upstream.requests) assert.strictEqual(headers["user-agent"], userAgent)
      }),
    )
  })
}

it.scopedLive("the weather service is asked once for the text of a product, and again for one that did not come", () =>
  Effect.gen(function* () {
    const upstream = yield* replay(everything)
    const { id } = issued(newYork, ["2026-07-08"], now)[0]!
    yield* asking(upstream, ({ nws }) =>
      Effect.gen(function* () {
        upstream.spoilNext(faults.html)
        assert.isTrue(Either.isLeft(yield* Effect.either(nws.text(newYork, id))))
        assert.strictEqual(yield* nws.text(newYork, id), yield* nws.text(newYork, id))
      }),
    )
    assert.strictEqual(upstream.requests.length, 2)
  }),
)

const { id: productId, text } = issued(newYork, ["2026-07-08"], now).at(-1)!
const texts: ReadonlyArray<readonly [name: string, text: string]> = [
  ["half of one", text.slice(0, text.indexOf("  MINIMUM"))],
  ["one that lacks its end alone", text.slice(0, text.indexOf("$$"))],
  ["a second one that breaks off", text + text.slice(0, text.indexOf("PRECIPITATION"))],
  ["another station's", text.replaceAll("CLINYC", "CLILGA")],
  ["nothing", ""],
  ["a page", "<!doctype html><html><body>CLINYC $$</body></html>"],
]
for (const [name, broken] of texts) {
  it.scopedLive(`a product that is ${name} is none`, () =>
    Effect.gen(function* () {
      const upstream = yield* replay([
        { path: `/api/1/nwstext/${productId}`, reply: { body: broken } },
        { path: `/products/${productId}`, reply: json({ productText: broken }) },
      ])
      for (const feed of ["iem", "nws"] as const) {
        const failure = yield* Effect.flip(asking(upstream, (sources) => sources[feed].text(newYork, productId)))
        assert.strictEqual(failure.code, "upstream_unavailable")
        assert.include(["shape", "implausible"], (failure.cause as UpstreamError).reason)
      }
    }),
  )
}

it.scopedLive("an id that is no product's is never asked for", () =>
  Effect.gen(function* () {
    const upstream = yield* replay(everything)
    const failure = yield* Effect.flip(asking(upstream, ({ days }) => days.text("../admin")))
    assert.deepStrictEqual([failure.code, upstream.requests.length], ["upstream_unavailable", 0])
  }),
)

/** Every question that is asked of an upstream. */
const questions: Readonly<Record<string, (sources: Sources) => Effect.Effect<unknown, Failure>>> = {
  "a year of the archive": ({ days }) => days.year(newYork, 2026),
  "a text of the archive": ({ days }) => days.text(productId),
  "the archive's list of products": ({ iem }) => iem.list(newYork, now - 86_400_000, now),
  "the weather service's list of products": ({ nws }) => nws.list(newYork, now - 86_400_000, now),
  "a product of the weather service": ({ nws }) => nws.text(newYork, productId),
}

/** Faults that rewrite JSON leave a text that is no product, which is refused. */
const reasons: Readonly<Record<Exclude<keyof typeof faults, "none">, ReadonlyArray<UpstreamError["reason"]>>> = {
  hang: ["timeout"],
  reset: ["transport"],
  halfBody: ["transport"],
  truncated: ["not-json", "shape", "implausible"],
  empty: ["not-json", "shape", "implausible"],
  html: ["not-json", "shape", "implausible"],
  wrongTypes: ["shape", "implausible"],
  nothing: ["shape", "implausible"],
  notANumber: ["not-json", "shape", "implausible"],
  infinite: ["shape", "implausible"],
  huge: ["too-large"],
  drip: ["timeout"],
  tooManyRequests: ["status"],
  serverError: ["status"],
  badGateway: ["status"],
  unavailable: ["status"],
  forbidden: ["status"],
}

/** Where a spoiled number is none that is read, or where there is none at all, the answer is as good as before. */
const harmless: ReadonlyArray<string> = [
  "the archive's list of products, infinite",
  "the weather service's list of products, infinite",
  "the weather service's list of products, notANumber",
  "a product of the weather service, infinite",
  "a product of the weather service, notANumber",
]

for (const [question, ask] of Object.entries(questions)) {
  describe.concurrent(`${question}, spoiled`, () => {
    for (const [name, expected] of Object.entries(reasons)) {
      const fault: Fault = faults[name as keyof typeof faults]
      const reads = harmless.includes(`${question}, ${name}`)
      it.scopedLive(`${name}: ${reads ? "is read all the same" : "upstream_unavailable"}`, () =>
        Effect.gen(function* () {
          const upstream = yield* replay(everything)
          upstream.spoil(fault)
          if (reads) return assert.isDefined(yield* asking(upstream, ask))
          const policy = expected.includes("timeout") ? impatient : patient
          const failure = yield* Effect.flip(asking(upstream, ask, policy))
          assert.strictEqual(failure.code, "upstream_unavailable")
          assert.include(expected, (failure.cause as UpstreamError).reason)
          assert.isAbove(failure.retryAfterMs ?? 0, 0)
          // Nothing of what the upstream said reaches a caller.
          assert.notMatch(failure.message, /Reference|html|Access/)
        }),
      )
    }

    it.scopedLive("one bad answer is asked for again", () =>
      Effect.gen(function* () {
        const upstream = yield* replay(everything)
        upstream.spoilNext(faults.serverError, faults.reset)
        assert.isDefined(yield* asking(upstream, ask))
      }),
    )
  })
}

describeRealData("recorded products", (root) => {
  it.scopedLive("are listed and read as the archive and the weather service give them", () =>
    Effect.gen(function* () {
      const id = "202607100625-KOKX-CDUS41-CLINYC"
      const file = join(root, "weather/iem/text_clinyc_202607100625.txt")
      const upstream = yield* replay([
        {
          path: "/api/1/nws/afos/list.json",
          query: (query) => query.get("date") === "2026-07-10",
          reply: recorded(join(root, "weather/iem/list_clinyc_20260710.json")),
        },
        { path: "/api/1/nws/afos/list.json", reply: json({ data: [] }) },
        { path: `/api/1/nwstext/${id}`, reply: recorded(file, "text/plain") },
        { path: "/products/b0c6e1c4", reply: json({ productText: readFileSync(file, "latin1") }) },
      ])
      const at = Date.UTC(2026, 6, 10, 12)
      const listed = yield* asking(upstream, ({ iem }) => iem.list(newYork, at - 2 * 86_400_000, at))
      assert.deepStrictEqual(listed[0], { id, issuedAt: Date.UTC(2026, 6, 10, 6, 25) })
      assert.strictEqual(listed.length, 2)
      const [one, other] = yield* asking(upstream, ({ iem, nws }) =>
        Effect.all([iem.text(newYork, id), nws.text(newYork, "b0c6e1c4")]),
      )
      assert.include(one, "MAXIMUM         82   1050 AM")
      assert.strictEqual(other, one)
    }),
  )
})
