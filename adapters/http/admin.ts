import { createHash, timingSafeEqual } from "node:crypto"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpRouter from "@effect/platform/HttpRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as AST from "effect/SchemaAST"
import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import * as Envelope from "../../core/endpoint/Envelope.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { bearerOf } from "../../core/gateway/access.ts"
import * as CallLog from "../../core/gateway/callLog.ts"
import { RequestIds } from "../../core/gateway/RequestIds.ts"
import { Site } from "../../core/gateway/Site.ts"
import * as Verb from "../admin/Verb.ts"
import { verbs } from "../admin/verbs.ts"
import { document, documentPath } from "./adminDocument.ts"
import { type Bounds, readObject } from "./body.ts"
import { defaultLimits } from "./listener.ts"
import * as Wire from "./wire.ts"

export interface Options {
  /** At least 32 characters. */
  readonly token: Redacted.Redacted
  readonly bounds?: Bounds
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()

const nowhere = fail("not_found", {
  detail: "Nothing lives at this path.",
  hints: [{ field: "path", action: "change", suggestion: `GET ${documentPath} lists every path of the surface.` }],
})

const isNumber = (ast: AST.AST): boolean =>
  ast._tag === "Refinement" ? isNumber(ast.from) : ast._tag === "NumberKeyword"

/** The query of a GET; what does not look like a number stays text and is named by the schema. */
const readQuery = (verb: Verb.Any) => {
  const fields = Verb.fieldsOf(verb)
  return Effect.map(HttpServerRequest.ParsedSearchParams, (query) =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => {
        const field = fields.get(name)
        const numeric = field !== undefined && isNumber(field.type) && /^\d+$/.test(String(value))
        return [name, numeric ? Number(value) : value]
      }),
    ),
  )
}

const readBody = (bounds: Bounds) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    readObject(NodeHttpServerRequest.toIncomingMessage(request), bounds),
  )

/** Everything a verb is asked: the path and, beside it, the query or the body. */
const readInput = Effect.fnUntraced(function* (verb: Verb.Any, bounds: Bounds) {
  const path = yield* HttpRouter.params
  const rest: Readonly<Record<string, unknown>> =
    verb.method === "GET" ? yield* readQuery(verb) : yield* readBody(bounds)
  const twice = Object.keys(path).filter((name) => Object.hasOwn(rest, name))
  if (twice.length === 0) return { ...rest, ...path }
  const hints = twice.map((field) => ({ field, action: "remove", suggestion: `The path names ${field}.` }) as const)
  return yield* fail(Verb.code(verb), { hints })
})

/** The operator's surface: the verbs of the command line over HTTP. */
export const make = (
  catalogue: Catalogue.Any,
  { token, bounds = defaultLimits }: Options,
): Effect.Effect<HttpApp.Default, never, Verb.Services | RequestIds | Site> =>
  Effect.gen(function* () {
    const requestIds = yield* RequestIds
    const { baseUrl } = yield* Site
    const log = yield* CallLog.make
    const services = yield* Effect.context<Verb.Services>()
    const all: ReadonlyArray<Verb.Any> = Object.values(verbs(catalogue))
    const expected = sha256(Redacted.value(token))

    const answer = (status: number, text: string, rest: Partial<Wire.Sent> = {}) =>
      Effect.map(rest.requestId === undefined ? requestIds.next : Effect.succeed(rest.requestId), (requestId) => {
        const { headers, body } = Wire.confidential({ status, requestId, body: text, ...rest })
        return HttpServerResponse.text(body, { status, headers })
      })

    const refuse = (failure: Failure, extra: Record<string, string> = {}) =>
      Effect.flatMap(requestIds.next, (requestId) =>
        Effect.zipRight(
          log.refused({ requestId }, "admin", failure),
          answer(failure.status, JSON.stringify(Envelope.failure(failure, requestId, baseUrl)), {
            requestId,
            retryAfterMs: failure.retryAfterMs,
            extra,
          }),
        ),
      )

    const guard = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const given = bearerOf(request.headers["authorization"])
      if (given === undefined) return Effect.fail(fail("missing_authorization"))
      // Digests have one length, so the comparison takes one time.
      return timingSafeEqual(sha256(given), expected)
        ? Effect.void
        : Effect.fail(fail("invalid_api_key", { detail: "This is not the admin token." }))
    })

    const routes = all.map((verb) =>
      HttpRouter.makeRoute(
        verb.method,
        verb.path,
        readInput(verb, bounds).pipe(
          Effect.flatMap((input) => Effect.provide(Verb.perform(verb, input), services)),
          Effect.flatMap((found) => answer(verb.status, JSON.stringify(found))),
        ),
      ),
    )
    const described = JSON.stringify(document(all))
    const router = HttpRouter.fromIterable([
      ...routes,
      HttpRouter.makeRoute("GET", documentPath, answer(200, described)),
    ])

    const served = new Map<string, ReadonlyArray<string>>([[documentPath, ["GET"]]])
    for (const { path, method } of all) served.set(path, [...(served.get(path) ?? []), method])
    const otherMethods = HttpRouter.fromIterable(
      [...served].flatMap(([path, methods]) =>
        (["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const)
          .filter((method) => !methods.includes(method))
          .map((method) =>
            HttpRouter.makeRoute(
              method,
              path as HttpRouter.PathInput,
              refuse(fail("method_not_allowed"), {
                allow: methods.flatMap((each) => (each === "GET" ? ["GET", "HEAD"] : [each])).join(", "),
              }),
            ),
          ),
      ),
    )

    return Effect.zipRight(guard, HttpRouter.concat(router, otherMethods)).pipe(
      Effect.catchTags({ Failure: (failure) => refuse(failure), RouteNotFound: () => refuse(nowhere) }),
      // A bug answers the envelope too; what it was goes to the log alone.
      Effect.catchAllDefect((defect) =>
        Effect.zipRight(
          Effect.logError("An operator's request ended in a defect", Cause.die(defect)),
          refuse(fail("internal_error")),
        ),
      ),
    )
  })
