import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../../core/Failure.ts"
import { takeOfAddress, within } from "../../../core/gateway/access.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import { split } from "../../server/http/query.ts"
import { match, type Route } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import * as Demo from "../demo.ts"
import { type Document, documentAt, fixed, types } from "../view/document.ts"
import { subject as crypto } from "./crypto.tsx"
import { mlb, nfl } from "./games.ts"
import { subject as markets } from "./markets.ts"
import { failedPage, listPage, listPath, type Shell, viewPage } from "./pages.tsx"
import * as Scored from "./Scored.tsx"
import type { Item, Subject } from "./Subject.ts"
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
  shellOf: (site: Site) => Shell,
  render: (shell: Shell) => Effect.Effect<string, Failure>,
  failed: (shell: Shell, failure: Failure) => Effect.Effect<string>,
): Document =>
  Effect.gen(function* () {
    const shell = shellOf(yield* Site)
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const taken = Option.match(remoteAddress, {
      onNone: () => Effect.void,
      onSome: (address) => Effect.flatMap(takeOfAddress(limits, address), (state) => within(state, "address")),
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

type Lists = Effect.Effect<ReadonlyArray<readonly [Subject, ReadonlyArray<Item> | undefined]>>

/** All subjects, read at most once a minute; undefined: those of a kind that cannot be read now. */
const listAll = (demo: Demo.Demo): Effect.Effect<Lists> =>
  Effect.cachedWithTTL(
    Effect.uninterruptible(
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.forEach(subjects, (subject) =>
          Effect.map(
            Effect.option(subject.list(demo, now)),
            (items) => [subject, Option.getOrUndefined(items)] as const,
          ),
        ),
      ),
    ),
    "1 minute",
  )

/** The pages of subjects, for people. They show generated data, which is free. */
export const make = (
  catalogue: Catalogue.Any,
  baseUrl: string,
): Effect.Effect<ReadonlyArray<Route>, never, Gateway | RateLimits> =>
  Effect.gen(function* () {
    const gateway = yield* Gateway
    const demo = Demo.of(gateway)
    const limits = yield* RateLimits
    const settledOf = yield* Scored.make(gateway)
    const lists = yield* listAll(demo)
    const shellOf = (site: Site): Shell => ({ site, catalogue, baseUrl })

    const viewed = (subject: Subject, id: string) => (shell: Shell) =>
      Effect.gen(function* () {
        const view = yield* subject.read(demo, id, yield* Clock.currentTimeMillis)
        const settled = view.scored === undefined ? Option.none() : yield* Effect.option(settledOf(view.scored.domain))
        return viewPage(shell, subject, id, view, Option.getOrUndefined(settled))
      })

    const one = (subject: Subject): Route => {
      const path = `/${subject.kind}/:subject`
      const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
        const { subject: id = "" } = match(path, split(url).path) ?? {}
        return answered(limits, shellOf, viewed(subject, id), (shell, failure) =>
          Effect.map(lists, (all) =>
            failedPage(shell, subject, id, failure, all.find(([each]) => each === subject)?.[1]),
          ),
        )
      })
      const handler = { _tag: "App", app } as const
      return { method: "GET", path, auth: "none", types: ["text/html"], limit: "calls", handler }
    }

    const list = answered(
      limits,
      shellOf,
      (shell) => Effect.map(lists, (all) => listPage(shell, all)),
      (shell, failure) => Effect.succeed(failedPage(shell, weather, "", failure, undefined)),
    )
    const listRoute = documentAt(listPath, "All subjects that have a page", types.html, list)
    return [{ ...listRoute, limit: "calls" }, ...subjects.map(one)]
  })
