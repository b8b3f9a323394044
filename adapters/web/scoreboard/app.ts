import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { RateLimits } from "../../../core/account/RateLimits.ts"
import type { BaseUrl } from "../../../core/call/BaseUrl.ts"
import { type Failure, notFound } from "../../../core/Failure.ts"
import type { RequestIds } from "../../../core/gateway/RequestIds.ts"
import { Challenge, type OpinionPlace } from "../../../core/lanes/markets/challenge/Challenge.ts"
import { Markets } from "../../../core/lanes/markets/Markets.ts"
import { Scoreboard, SettledRows } from "../../../core/lanes/markets/ports.ts"
import { Weather } from "../../../core/lanes/weather/Weather.ts"
import { iso } from "../../../core/time.ts"
import * as Fragments from "../../describe/openapiFragments.ts"
import * as Keyless from "../../server/http/publicRoute.ts"
import { parseQuery, splitTarget } from "../../server/http/query.ts"
import { matchPath, type Route, type RouteLimit } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import type * as Wire from "../../server/http/wire.ts"
import { acceptsGzip, htmlReply } from "../view/document.ts"
import * as ChallengerPage from "./ChallengerPage.tsx"
import { type Form, forms, types } from "./downloads.ts"
import * as Files from "./files.ts"
import * as Manifest from "./manifest.ts"
import * as Asked from "./markets/asked.ts"
import { marketsPage } from "./markets/MarketsPage.tsx"
import { marketPage } from "./markets/readMarkets.ts"
import { page, path as pagePath } from "./page.tsx"

const fileOf = (form: Form): string => `${pagePath}/settled.${form}`

/** Files have a limit of their own: each is megabytes. */
const downloading: RouteLimit = { name: "downloads", perMinute: 12 }

/** Answers the list of markets. */
const marketsOver =
  (rows: typeof SettledRows.Service, hasDemoEntries: boolean) =>
  ({ url }: { readonly url: string }): Effect.Effect<Keyless.PublicReply, Failure, Site> => {
    const query = parseQuery(url)
    const asked = Asked.askedIn(query)
    const isDemo = rows.freshness !== "live"
    return Effect.zipWith(marketPage(rows, asked.asked), Site, (page, site) =>
      htmlReply(marketsPage({ ...asked, query, page, isDemo, hasEntries: !isDemo || hasDemoEntries }, site)),
    )
  }

/** Where the page of opinions before ended. */
const placeIn = (text: string): OpinionPlace | undefined => {
  const [, at, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? []
  return at === undefined ? undefined : { at: Number(at), seq: Number(seq) }
}

/** Answers the page of a challenger. */
const challengerOver =
  (markets: typeof Markets.Service, challenge: typeof Challenge.Service, hasDemoEntries: boolean) =>
  ({ url }: { readonly url: string }): Effect.Effect<Keyless.PublicReply, Failure, Site> =>
    Effect.gen(function* () {
      const name = matchPath(ChallengerPage.template, splitTarget(url).path)?.["model"]
      const { models } = (yield* markets.benchModels({})).results
      const model = models.find((one) => one.model === name)
      if (model === undefined) return yield* notFound("There is no challenger of this name.")
      const before = placeIn(parseQuery(url).get("before") ?? "")
      const now = yield* Clock.currentTimeMillis
      const receipts = yield* challenge.receipts(model.model, before, now, ChallengerPage.perPage + 1)
      const isDemo = challenge.freshness !== "live"
      const props = {
        ...{ model, isDemo, isFirst: before === undefined, hasEntries: !isDemo || hasDemoEntries },
        ...{ receipts: receipts.slice(0, ChallengerPage.perPage), isMore: receipts.length > ChallengerPage.perPage },
      }
      return htmlReply(ChallengerPage.challengerPage(props, yield* Site))
    })

type Read = Effect.Effect.Success<ReturnType<typeof Files.make>>

/** A range is of the plain file. */
const fileOver =
  (files: Read) =>
  (form: Form, { range, ...headers }: Wire.Headers): Effect.Effect<Keyless.PublicReply, Failure> =>
    Effect.map(files(form), ({ etag, plain, gzip }) => {
      const isPacked = range === undefined && acceptsGzip(headers["accept-encoding"])
      return {
        type: types[form],
        body: isPacked ? { ...gzip, etag: etag.replace(/"$/, '-gzip"') } : { ...plain, etag },
        headers: {
          "content-disposition": `attachment; filename="settled.${form}"`,
          "accept-ranges": "bytes",
          vary: "Accept-Encoding",
          ...(isPacked ? { "content-encoding": "gzip" } : {}),
        },
      }
    })

/** Writes the files that are missing: a manifest lists the files that are served. */
const manifestOver = (files: Read, rows: typeof SettledRows.Service) =>
  Effect.gen(function* () {
    const written = yield* Effect.forEach(forms, (form) =>
      Effect.map(
        files(form),
        ({ sha256, rows, plain: { bytes } }): Manifest.Listed => ({
          ...{ name: `settled.${form}`, type: types[form] },
          ...{ rows, bytes, sha256 },
        }),
      ),
    )
    const body = Manifest.manifestOf(written, rows.freshness, iso(yield* Clock.currentTimeMillis))
    return { type: types.json, body } satisfies Keyless.PublicReply
  })

const described = (summary: string, type: string) => ({
  types: [type],
  description: { _tag: "Operation", operation: Fragments.documentOperation(summary, type) } as const,
})

/**
 * The scoreboard as an HTML page, and all settled rows as files. Free, without a key; pages count against the
 * per-address limit of keyless calls, files against 12 a minute.
 *
 * @param folder for the files
 * @param hasDemoEntries whether the record shows generated rows; it has the entries of all others
 */
export const make = (
  folder?: string,
  hasDemoEntries = false,
): Effect.Effect<
  ReadonlyArray<Route>,
  never,
  | Challenge
  | Markets
  | Weather
  | RateLimits
  | RequestIds
  | Scope.Scope
  | Scoreboard
  | PlatformCrypto
  | SettledRows
  | BaseUrl
> =>
  Effect.gen(function* () {
    const markets = yield* Markets
    const weather = yield* Weather
    const rows = yield* SettledRows
    const files = yield* Files.make(rows, yield* Scoreboard, folder)
    const route = yield* Keyless.make

    const html = Effect.map(
      Effect.all([markets.performance({}), markets.benchModels({}), weather.stations({}), Site]),
      ([{ results, freshness }, challengers, registry, site]) =>
        htmlReply(page(results, challengers.results.models, registry.results.stations, freshness, site)),
    )

    return [
      route({ path: pagePath, ...described("The public scoreboard as a page to read", "text/html") }, () => html),
      route({ path: Asked.path, types: ["text/html"] }, marketsOver(rows, hasDemoEntries)),
      route(
        { path: ChallengerPage.template, types: ["text/html"] },
        challengerOver(markets, yield* Challenge, hasDemoEntries),
      ),
      route(
        {
          path: Manifest.path,
          bucket: downloading,
          ...described("The files of settled rows: sizes, SHA-256, method and terms", "application/json"),
        },
        () => manifestOver(files, rows),
      ),
      ...forms.map((form) =>
        route(
          {
            path: fileOf(form),
            bucket: downloading,
            ...described(`Every settled head-to-head as ${form}`, types[form].split(";")[0]!),
          },
          ({ headers }) => fileOver(files)(form, headers),
        ),
      ),
    ]
  })
