import { createHash } from "node:crypto"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { RateLimits } from "../../../../core/account/RateLimits.ts"
import { takeKeylessRequest } from "../../../../core/gateway/access.ts"
import { People } from "../../../../core/people/People.ts"
import { parseQuery } from "../../../server/http/query.ts"
import type { Route } from "../../../server/http/route.ts"
import { headers, route } from "../answers.ts"
import * as Places from "../site.ts"
import { addressOf, type Visiting } from "../visiting.ts"
import * as Reading from "./reading.ts"
import type { Value } from "./values.ts"

const path = "/dashboard/live.json"

/** A reading is kept for ten times as long as it took, within these bounds, milliseconds: a busy store is read less often. */
const restFactor = 10
const minRestMs = 1_000
const maxRestMs = 5_000

const text = (status: number, words: string) => HttpServerResponse.text(`${words}\n`, { status, headers })

/** The values of a page: those of the account, and those of the agents and keys that it shows. */
const choose = (values: ReadonlyArray<Value>, ids: ReadonlySet<string>): string =>
  JSON.stringify(
    Object.fromEntries(
      values.flatMap(({ name, shown }) => {
        const [owner = ""] = name.split(".")
        return owner === name || owner === "newest" || ids.has(owner) ? [[name, shown]] : []
      }),
    ),
  )

/**
 * `GET /dashboard/live.json?account=ID&at=MS&id=ID`: the values of a page that was made at that time, as JSON by name, with
 * an ETag. 401: its session has ended; 404: the session shows another account. An account is read once for all who watch
 * it, and a look is no use of the session.
 */
export const make = ({ guarded }: Visiting) =>
  Effect.gen(function* () {
    const people = yield* People
    const limits = yield* RateLimits
    const read = yield* Reading.make
    // One reading at a time, however many accounts are watched.
    const turn = yield* Effect.makeSemaphore(1)
    const kept = yield* Cache.makeWith({
      capacity: Reading.capacity,
      lookup: (accountId: string) =>
        Effect.gen(function* () {
          const begun = yield* Clock.currentTimeMillis
          const values = yield* read(accountId)
          return { values, begun, tookMs: (yield* Clock.currentTimeMillis) - begun }
        }).pipe(Effect.uninterruptible, turn.withPermits(1)),
      timeToLive: Exit.match({
        onFailure: () => minRestMs,
        onSuccess: ({ tookMs }) => Math.min(maxRestMs, Math.max(minRestMs, restFactor * tookMs)),
      }),
    })

    const app = guarded((request, place) =>
      Effect.gen(function* () {
        const token = Places.cookieOf(request.headers["cookie"], place.cookie.name)
        const session = token === undefined ? undefined : yield* people.peekSession(token)
        if (session === undefined) {
          const address = addressOf(request)
          if (address !== undefined) yield* takeKeylessRequest(limits, address)
          return text(401, "No session is open.")
        }
        const query = parseQuery(request.url)
        if (session.accountId === undefined || session.accountId !== query.get("account")) {
          return text(404, "This session shows another account.")
        }
        // Values that were read before the page was made would set it back.
        const last = yield* kept.get(session.accountId)
        const isOlder = last.begun < Number(query.get("at") ?? 0)
        if (isOlder) yield* kept.invalidate(session.accountId)
        const { values } = isOlder ? yield* kept.get(session.accountId) : last
        const body = choose(values, new Set(query.getAll("id")))
        const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`
        if (request.headers["if-none-match"] === etag) {
          return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
        }
        return HttpServerResponse.text(body, { contentType: "application/json", headers: { ...headers, etag } })
      }),
    )
    // Open pages ask for as long as somebody looks at them; those without a session are counted.
    return { ...route("GET", path, app), types: ["application/json"], limit: "none" } satisfies Route
  })
