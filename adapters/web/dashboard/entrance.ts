import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { takeBy } from "../../../core/gateway/access.ts"
import { People } from "../../../core/people/People.ts"
import { minute } from "../../../core/time.ts"
import { queryOf } from "../../server/http/query.ts"
import type { Route } from "../../server/http/route.ts"
import { enterScript, pathOf } from "../view/assets.ts"
import { form, goTo, isPost, pageWithoutSession, refusedForm, route } from "./answers.ts"
import * as Enter from "./Enter.tsx"
import * as SignIn from "./signIn.ts"
import * as Places from "./site.ts"
import { addressOf, originOf, type Visiting } from "./visiting.ts"

/**
 * Refused sign-ins in a minute: of one link or person, and behind one address. Links have 80 random bits: the limits keep
 * a broken program from asking for ever, and one person from locking out all others behind an address.
 */
const triesPerMinute = { one: 5, address: 60 } as const

/** Sign-ins in a minute that an address may begin at the provider: each is a row of the store for ten minutes. */
const beginsPerMinute = 10

const tooMany = (retryAfterMs: number): Failure =>
  fail("rate_limit_exceeded", {
    detail: `Too many sign-ins. Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
    retryAfterMs,
  })

const noCookies = ({ origin }: Places.Origin): Failure =>
  fail("invalid_request_body", {
    detail: `Your browser keeps no cookie of ${origin}, and a session needs one. Allow cookies for this address in your browser's settings, open this page again and sign in. Your link was not used.`,
  })

/** The code that a form gives: alone, or after the `#` of a link. */
const codeIn = (values: URLSearchParams): string => {
  const text = (values.get("code") ?? "").slice(0, 2_000)
  return text.slice(text.lastIndexOf("#") + 1, text.lastIndexOf("#") + 101).trim()
}

/** Limits the refusals of one link or person, and those of an address. */
const limitedBy =
  (limits: RateLimits["Type"], crypto: PlatformCrypto["Type"]) =>
  <A, R>(
    request: HttpServerRequest.HttpServerRequest,
    one: string,
    tried: Effect.Effect<A, Failure, R>,
  ): Effect.Effect<A, Failure, R> =>
    Effect.gen(function* () {
      const own = `sign-in:${yield* crypto.sha256(one)}`
      if ((yield* limits.peek(own, triesPerMinute.one)).remaining < 1)
        return yield* tooMany(minute / triesPerMinute.one)
      return yield* Effect.tapError(tried, ({ status }) =>
        Effect.gen(function* () {
          if (status >= 500) return
          yield* limits.take(own, triesPerMinute.one)
          // Looked at after the code: somebody behind the same address may have a right one.
          const address = addressOf(request) ?? ""
          const { ok, retryAfterMs } = yield* takeBy(limits, "sign-ins", address, triesPerMinute.address)
          if (!ok) return yield* tooMany(retryAfterMs)
        }),
      )
    })

interface Ports {
  readonly people: People["Type"]
  readonly limits: RateLimits["Type"]
  readonly crypto: PlatformCrypto["Type"]
}

/** The routes by which people sign in at a provider. */
const providerRoutes = (
  { provider, isOpen }: SignIn.SignIn,
  { guarded }: Pick<Visiting, "guarded">,
  { people, limits, crypto }: Ports,
): ReadonlyArray<Route> => {
  const limited = limitedBy(limits, crypto)
  const begin = guarded((request, place) =>
    Effect.gen(function* () {
      const { ok, retryAfterMs } = yield* takeBy(limits, "oidc-begin", addressOf(request) ?? "", beginsPerMinute)
      if (!ok) return yield* tooMany(retryAfterMs)
      const code = isPost(request) ? codeIn(yield* form) : ""
      const to = SignIn.returnTo(queryOf(request.url).get("return_to"))
      const token = Redacted.value(yield* people.depart(to, code === "" ? undefined : code))
      const bound = yield* SignIn.deriveBound(crypto, token)
      const url = yield* provider.begin(`${place.origin}${SignIn.paths.callback}`, bound)
      const cookie = { "set-cookie": SignIn.setCookie(place, token) }
      // The policy of a page binds a form's redirects too, so that a form leads to a page with a link.
      return isPost(request)
        ? yield* pageWithoutSession(Enter.goOnView(provider.host, url), 200, cookie)
        : goTo(url, cookie)
    }),
  )
  const callback = guarded((request, place) =>
    Effect.gen(function* () {
      const token = Places.cookieOf(request.headers["cookie"], SignIn.underWay(place).cookie.name) ?? ""
      const departure = yield* people.comeBack(token)
      const returned = new URL(`${place.origin}${SignIn.paths.callback}`)
      returned.search = queryOf(request.url).toString()
      const person = yield* provider.finish(returned, yield* SignIn.deriveBound(crypto, token))
      const signedIn = people.signIn(person, departure.codeHash, isOpen, originOf(request))
      const session = yield* limited(request, `${person.issuer} ${person.subject}`, signedIn)
      return goTo(departure.returnTo, { "set-cookie": Places.setCookie(place, Redacted.value(session)) })
    }),
  )
  return [
    route("GET", SignIn.paths.begin, begin),
    route("POST", SignIn.paths.begin, begin),
    route("GET", SignIn.paths.callback, callback),
  ]
}

/**
 * The routes by which people come and go.
 *
 * @param signIn absent: people come by links alone
 */
export const make = ({ guarded, readSession, visited }: Visiting, signIn?: SignIn.SignIn) =>
  Effect.gen(function* () {
    const people = yield* People
    const limits = yield* RateLimits
    const crypto = yield* PlatformCrypto
    const script = pathOf(enterScript.name)

    const limited = limitedBy(limits, crypto)
    const enterPage = (
      request: HttpServerRequest.HttpServerRequest,
      place: Places.Origin,
      to: string,
      failure?: Failure,
    ) => {
      const { cookie } = request.headers
      const isUnsent = queryOf(request.url).has("unsent")
      const view = Enter.enterView(script, to, signIn?.provider.host, failure, isUnsent)
      const status = failure === undefined ? 200 : failure.status === 429 ? 429 : 422
      return pageWithoutSession(view, status, cookie === undefined ? { "set-cookie": Places.probe(place) } : {})
    }

    const enter = guarded((request, place) =>
      Effect.gen(function* () {
        if (!isPost(request)) {
          const to = SignIn.returnTo(queryOf(request.url).get("return_to"))
          const found = yield* readSession(request, place)
          return found === undefined ? yield* enterPage(request, place, to) : goTo(to)
        }
        const values = yield* form
        const to = SignIn.returnTo(values.get("return_to"))
        // The page has set a cookie: without cookies a session would be lost at once, and the link with it.
        if (request.headers["cookie"] === undefined) return yield* enterPage(request, place, to, noCookies(place))
        const code = codeIn(values)
        const entered = yield* Effect.either(limited(request, code, people.enter(code, originOf(request))))
        if (entered._tag === "Right") {
          return goTo(to, { "set-cookie": Places.setCookie(place, Redacted.value(entered.right)) })
        }
        const failure = entered.left
        if (failure.status >= 500) return yield* failure
        return yield* enterPage(request, place, to, failure)
      }),
    )

    const signOut = visited({ path: "/dashboard/sign-out" }, (visit, _request, place) =>
      Effect.gen(function* () {
        if ((yield* form).get("form_token") !== visit.formToken) return yield* refusedForm
        yield* people.end(visit.session.person.id, visit.session.id)
        return goTo(Enter.path, { "set-cookie": Places.dropCookie(place) })
      }),
    )

    return [
      ...(signIn === undefined ? [] : providerRoutes(signIn, { guarded }, { people, limits, crypto })),
      route("GET", Enter.path, enter),
      route("POST", Enter.path, enter),
      route("POST", "/dashboard/sign-out", signOut),
    ]
  })
