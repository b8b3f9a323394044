import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../../core/Failure.ts"
import { failIfExceeded, takeKeylessCall } from "../../../core/gateway/access.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { edge } from "../../../core/lanes/markets/endpoints.ts"
import { endpoints } from "../../../core/lanes/weather/endpoints.ts"
import { type Domain, domains } from "../../../core/record/scoreboard/Settled.ts"
import { splitTarget } from "../../server/http/query.ts"
import { matchPath, type Route } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import * as Demo from "../demo.ts"
import { type Document, documentAt, fixed, types } from "../view/document.ts"
import { latest } from "../view/latest.ts"
import { subject as crypto } from "./crypto.ts"
import { mlb, nfl } from "./games.ts"
import * as Live from "./live.ts"
import { subject as markets } from "./markets.ts"
import { failedPage, type Listed, listPage, listPath, type Shell, viewPage } from "./pages.tsx"
import * as Scored from "./Scored.tsx"
import { addressOf, type Item, type Subject, type View } from "./Subject.ts"
import { subject as weather } from "./weather.ts"

/** The kinds of subjects, in the order of the list. */
export const subjects: ReadonlyArray<Subject> = [weather, nfl, mlb, crypto, markets]

/**
 * Answers a page as HTML with its status, or the page of its failure. A reader counts as a call of the address.
 *
 * @param render the page's text
 * @param failed the text of a failure's page
 */
const answered = (
  limits: RateLimits["Type"],
  makeShell: (site: Site, now: number) => Shell,
  render: (shell: Shell) => Effect.Effect<string, Failure>,
  failed: (shell: Shell, failure: Failure) => Effect.Effect<string>,
): Document =>
  Effect.gen(function* () {
    const shell = makeShell(yield* Site, yield* Clock.currentTimeMillis)
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const taken = Option.match(remoteAddress, {
      onNone: () => Effect.void,
      onSome: (address) =>
        Effect.flatMap(takeKeylessCall(limits, address), (state) => failIfExceeded(state, "address")),
    })
    const { status, html } = yield* Effect.matchEffect(Effect.zipRight(taken, render(shell)), {
      onSuccess: (text) => Effect.succeed({ status: 200, html: text }),
      // A name that the parameter refuses is no subject.
      onFailure: (failure) =>
        Effect.map(failed(shell, failure), (text) => ({
          status: failure.status === 400 ? 404 : failure.status,
          html: text,
        })),
    })
    const response = yield* fixed(types.html, html)
    return status === 200 ? response : HttpServerResponse.setStatus(response, status)
  })

export type { Ports } from "./live.ts"

/** Whose calls answer real data, by lane. */
export type Modes = Readonly<Record<string, Freshness>>

/** The lane that decides whether a kind of subjects is real. */
const lanes = { weather: "weather", nfl: "football", mlb: "baseball", crypto: "crypto", markets: "markets" } as const

const isReal = (modes: Modes, { kind }: Subject): boolean => modes[lanes[kind]] === "live"

/** The data of subjects' pages: generated, or where the lane is live its public part. */
export interface Reading {
  readonly view: (subject: Subject, id: string, now: number) => Effect.Effect<View, Failure>
  readonly list: (subject: Subject, now: number) => Effect.Effect<Listed>
  readonly settled: (domain: Domain) => Effect.Effect<Scored.Settled, Failure>
}

export const makeReading = (modes: Modes): Effect.Effect<Reading, never, Gateway | Live.Ports> =>
  Effect.gen(function* () {
    const gateway = yield* Gateway
    const demo = Demo.of(gateway)
    const settled = yield* Scored.make(gateway)
    const seen = yield* Live.make(gateway, settled)
    const view: Reading["view"] = (subject, id, now) =>
      isReal(modes, subject) ? subject.live(seen, demo, id, now) : subject.read(demo, id, now)
    const items = (subject: Subject, now: number) =>
      isReal(modes, subject)
        ? Effect.flatMap(subject.ids?.(demo) ?? Live.gamesOf(seen, subject.kind, now), (ids) =>
            Effect.forEach(ids, (id) => Effect.map(view(subject, id, now), ({ card }): Item => card)),
          )
        : subject.list(demo, now)
    return {
      view,
      settled,
      list: (subject, now) =>
        Effect.map(Effect.option(items(subject, now)), (listed) => ({
          ...{ subject, items: Option.getOrUndefined(listed), isSample: !isReal(modes, subject) },
        })),
    }
  })

/** Degrees of the first page's answer, around the middle. */
const degrees = [-1, 0, 1]

/** A short answer of the signal, as the demo key gets it. */
const shortAnswer = (demo: Demo.Demo, params: Parameters<typeof demo.call<typeof endpoints.signal>>[1]) =>
  Effect.map(demo.call(endpoints.signal, params), ({ answer: { results } }) => {
    const { target_day, projection, probabilities } = results
    const middle = Math.round(projection.high_f)
    const ge = Object.fromEntries(degrees.map((each) => [middle + each, probabilities.ge[String(middle + each)]]))
    return { results: { target_day, projection: { high_f: projection.high_f }, probabilities: { ge } } }
  })

/** The station of the contract on which model and market differ most. */
const widestStation = (demo: Demo.Demo) =>
  Effect.map(
    demo.call(edge, { min_edge: 0, domain: "weather" }),
    ({ answer }) => answer.results.edges[0]?.subject?.["station"],
  )

/** The first page's card: that of the station with the largest difference, or that of the first lane that is real. */
export const front = (modes: Modes) =>
  Effect.zipWith(makeReading(modes), Gateway, ({ view, list, settled }, gateway) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const real = subjects.find((each) => isReal(modes, each))
      const subject = real ?? weather
      const demo = Demo.of(gateway)
      const widest = real === undefined ? yield* Effect.orElseSucceed(widestStation(demo), () => undefined) : undefined
      const id =
        subject === weather ? String(widest ?? "KNYC") : (yield* list(subject, now)).items?.[0]?.path.split("/")[2]
      const shown = id === undefined ? undefined : yield* Effect.option(view(subject, decodeURIComponent(id), now))
      const { card, last } = shown === undefined || Option.isNone(shown) ? {} : shown.value
      // The call beside the card is the card's own where both are sample data of the signal.
      const isSame = card?.isSample === true && card.call.endpoint.id === endpoints.signal.id
      const params = { station: "KNYC", ...(isSame ? card.call.params : {}) }
      const answer = yield* shortAnswer(demo, params)
      const past = yield* Effect.forEach(domains, (domain) => Effect.option(settled(domain)))
      return {
        ...{ now, params, answer },
        results: past.flatMap((each) => (Option.isNone(each) ? [] : Scored.happened(each.value.rows, 1))),
        ...(card !== undefined && { card: last ?? card }),
        ...(last !== undefined && { open: card }),
      }
    }),
  )

/** The pages of subjects, for people. */
export const make = (
  catalogue: Catalogue.Any,
  baseUrl: string,
  modes: Modes,
): Effect.Effect<ReadonlyArray<Route>, never, Gateway | RateLimits | Live.Ports> =>
  Effect.gen(function* () {
    const limits = yield* RateLimits
    const { view, list, settled: settledOf } = yield* makeReading(modes)
    const lists = yield* Effect.map(
      Effect.forEach(subjects, (subject) =>
        Effect.map(
          latest(
            subject.title,
            Effect.flatMap(Clock.currentTimeMillis, (now) => list(subject, now)),
          ),
          Effect.map((listed): Listed => listed ?? { subject, items: undefined, isSample: !isReal(modes, subject) }),
        ),
      ),
      (all) => Effect.all(all, { concurrency: "unbounded" }),
    )
    const makeShell = (site: Site, now: number): Shell => ({ site, catalogue, baseUrl, now })

    const viewed = (subject: Subject, id: string) => (shell: Shell) =>
      Effect.gen(function* () {
        const shown = yield* view(subject, id, shell.now)
        const settled =
          shown.scored === undefined ? Option.none() : yield* Effect.option(settledOf(shown.scored.domain))
        return viewPage(shell, subject, shown, Option.getOrUndefined(settled))
      })

    const one = (subject: Subject): Route => {
      const path = `/${subject.kind}/:subject`
      const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
        const { subject: id = "" } = matchPath(path, splitTarget(url).path) ?? {}
        return answered(limits, makeShell, viewed(subject, id), (shell, failure) =>
          Effect.map(lists, (all) =>
            failedPage(
              shell,
              addressOf(subject.kind, id),
              failure,
              all.find((each) => each.subject === subject),
            ),
          ),
        )
      })
      const handler = { _tag: "App", app } as const
      return { method: "GET", path, auth: "none", types: ["text/html"], limit: "calls", handler }
    }

    const listed = answered(
      limits,
      makeShell,
      (shell) => Effect.map(lists, (all) => listPage(shell, all)),
      (shell, failure) => Effect.succeed(failedPage(shell, listPath, failure, undefined)),
    )
    const listRoute = documentAt(listPath, "All subjects that have a page", types.html, listed)
    return [{ ...listRoute, limit: "calls" }, ...subjects.map(one)]
  })
