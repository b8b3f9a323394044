import { createHash } from "node:crypto"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Accounts } from "../../../core/account/Accounts.ts"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import * as Ulid from "../../../core/account/Ulid.ts"
import { BaseUrl } from "../../../core/call/BaseUrl.ts"
import { type Failure, notFound } from "../../../core/Failure.ts"
import { ifDefined } from "../../../core/ifDefined.ts"
import { People } from "../../../core/people/People.ts"
import type { Session } from "../../../core/people/Session.ts"
import * as Rights from "../../../core/rights/Rights.ts"
import { parseQuery, splitTarget } from "../../server/http/query.ts"
import { matchPath } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import { type Answer, goTo, isPost, pageWithoutSession, refused, refusedForm } from "./answers.ts"
import * as Enter from "./Enter.tsx"
import type { AccountVisit, Page, Services, Visit } from "./Page.ts"
import { returnTo, withReturn } from "./signIn.ts"
import * as Places from "./site.ts"

/**
 * A form belongs to the page of its session and of its account, so that one of an account that is no longer shown changes
 * nothing. The token is not stored, and says nothing of the cookie.
 */
const hashFormToken = (token: string, accountId = ""): string =>
  createHash("sha256").update(`form ${token} ${accountId}`).digest("hex")

type Request = HttpServerRequest.HttpServerRequest

/** The session of a request's cookie. */
interface Found {
  readonly session: Session
  readonly token: string
}

export const addressOf = (request: Request): string | undefined => Option.getOrUndefined(request.remoteAddress)

/** The parameters and the query that a request's address has for a page of a path. */
const placeIn = ({ url }: Request, template: string): Pick<Visit, "params" | "query"> => ({
  params: matchPath(template, splitTarget(url).path) ?? {},
  query: parseQuery(url),
})

/** Where a session begins. */
export const originOf = (request: Request) => {
  const address = addressOf(request)
  const browser = request.headers["user-agent"]?.slice(0, 200)
  return { ...(address === undefined ? {} : { address }), ...(browser === undefined ? {} : { browser }) }
}

const actorOf = (session: Session, request: Request): Visit["actor"] => {
  const address = addressOf(request)
  const { person, accountId = "", role = "viewer" } = session
  return {
    who: person.id,
    sessionId: session.id,
    ...(address === undefined ? {} : { address }),
    // Whoever is no operator is a member: without an account, of none.
    ...(person.isOperator ? {} : { member: { accountId, role, ...ifDefined("email", person.email) } }),
  }
}

/** Without a session the sign-in page answers, and says that a form was not sent. */
const toSignIn = (request: Request) =>
  goTo(`${withReturn(Enter.path, returnTo(request.url))}${isPost(request) ? "&unsent=1" : ""}`)

/** Answers under a known origin; changes are refused unless a page of ours sent them. */
const guardedBy = (baseUrl: string) => (answer: (request: Request, place: Places.Origin) => Answer) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const place = Places.acceptedOrigin(
      request,
      baseUrl,
      Places.isLocal(NodeHttpServerRequest.toIncomingMessage(request)),
    )
    if (place === undefined) return pageWithoutSession(Enter.offView(baseUrl), 403)
    if (isPost(request) && !Places.isOurs(request, place)) return refused(refusedForm)
    return answer(request, place)
  }).pipe(Effect.catchTag("Failure", refused))

/** How requests become visits: a known origin, a session, an actor. */
export const make = Effect.gen(function* () {
  const services = yield* Effect.context<Services>()
  const people = yield* People
  const accounts = yield* Accounts
  const { randomBytes } = yield* PlatformCrypto
  const { baseUrl } = yield* BaseUrl

  const guarded = guardedBy(baseUrl)
  const readSession = (request: Request, place: Places.Origin) => {
    const token = Places.cookieOf(request.headers["cookie"], place.cookie.name)
    return token === undefined
      ? Effect.succeed(undefined)
      : Effect.map(people.session(token), (session) => (session === undefined ? undefined : { session, token }))
  }

  const makeVisit = (request: Request, place: Places.Origin, { session, token }: Found, path: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return {
        session,
        actor: actorOf(session, request),
        ...(session.accountId === undefined ? {} : { account: yield* accounts.get(session.accountId) }),
        ...placeIn(request, path),
        formToken: hashFormToken(token, session.accountId),
        formId: Ulid.encode(now, yield* randomBytes(10)),
        origin: place.origin,
        baseUrl,
        served: (yield* Site).served,
        now,
      } satisfies Visit
    })

  const visited = (
    page: Pick<Page, "path">,
    answer: (visit: Visit, request: Request, place: Places.Origin) => Answer<Services>,
  ) =>
    guarded((request, place) =>
      Effect.gen(function* () {
        const session = yield* readSession(request, place)
        if (session === undefined) return toSignIn(request)
        const visit = yield* makeVisit(request, place, session, page.path)
        return yield* Effect.provide(answer(visit, request, place), services)
      }),
    )

  /** Fails when the session of a visit has ended, or when its person is no longer of the account. */
  const failIfEnded = (
    { session: { person }, account: { id } }: AccountVisit,
    request: Request,
    place: Places.Origin,
  ): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      const session = yield* readSession(request, place)
      // A person with several accounts may have turned to another one.
      const isIn =
        session !== undefined &&
        (session.session.person.isOperator ? [undefined] : yield* people.accountsOf(person.id)).some((member) =>
          Rights.ofPerson(member).see(id),
        )
      if (!isIn) return yield* notFound("The session that asked for this has ended.")
    })

  return { guarded, readSession, failIfEnded, visited }
})

export type Visiting = Effect.Effect.Success<typeof make>
