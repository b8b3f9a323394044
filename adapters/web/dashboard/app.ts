import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../core/account/RateLimits.ts"
import { type Failure, fail, notFound } from "../../../core/Failure.ts"
import { takeWithBlock } from "../../../core/gateway/access.ts"
import { ChangeLog, isAlreadySent, type LoggedChange } from "../../../core/people/Change.ts"
import { People } from "../../../core/people/People.ts"
import { minute } from "../../../core/time.ts"
import { parseQuery } from "../../server/http/query.ts"
import type { Route } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import { enterScript, pathOf } from "../view/assets.ts"
import { form, formsTo, goTo, html, isPost, pageWithoutSession, refusedForm, retryAfter, route } from "./answers.ts"
import { file } from "./downloads.ts"
import * as Enter from "./Enter.tsx"
import { framed } from "./Frame.tsx"
import * as LiveJson from "./live/json.ts"
import { type AccountVisit, type Page, pathTo, type Sent, type View, type Visit } from "./Page.ts"
import { alreadySentView, doneText } from "./Refused.tsx"
import { barredText, isFor, withRights } from "./rights.ts"
import * as SignIn from "./signIn.ts"
import * as Places from "./site.ts"
import * as Visiting from "./visiting.ts"

/** The frame of all pages. */
interface Shell {
  /** In the order of the navigation. */
  readonly pages: ReadonlyArray<Page>
  readonly contact: string | undefined
}

const renderView = (
  { pages, contact }: Shell,
  page: Page,
  visit: Visit,
  view: View,
  status = view.status ?? 200,
  headers?: Parameters<typeof html>[2],
) => Effect.map(Site, (site) => html(framed(site, pages, page, visit, view, contact), status, headers))

const allowed = (page: Page, visit: Visit): Effect.Effect<void, Failure> =>
  isFor(page, visit) ? Effect.void : fail("not_found")

/** How long a page says what a form has done. */
const saidMs = 5_000

/** What the person of a visit has just done by a form. */
const doneBy = ({ account, session, now }: Visit) =>
  account === undefined
    ? Effect.succeed(undefined)
    : Effect.gen(function* () {
        const [newest] = yield* (yield* ChangeLog).page({ accountId: account.id, limit: 1 })
        const isOwn = newest?.formId !== undefined && newest.sessionId === session.id && newest.at > now - saidMs
        return isOwn ? doneText(newest.verb) : undefined
      })

/** Nothing of a page is made before it is clear that the person may see it. */
const renderPage = (shell: Shell, page: Page, from: Visit) =>
  Effect.gen(function* () {
    yield* allowed(page, from)
    const visit = { ...(yield* withRights(page, from)), did: yield* doneBy(from) }
    const view = yield* page.view(visit)
    return yield* renderView(shell, page, visit, view, view.status, formsTo(view))
  })

/** A refused form's page with its values. Where the store failed, the outcome is unknown: the form keeps its id. */
const refusedPage = (shell: Shell, page: Page, visit: Visit, sent: Sent, formId: string) => {
  const { status } = sent.failure
  const again = { ...visit, sent, ...(status < 500 ? {} : { formId }) }
  return Effect.flatMap(page.view(again), (view) =>
    renderView(shell, page, again, view, status < 500 ? 422 : status, {
      ...retryAfter(sent.failure),
      ...formsTo(view),
    }),
  )
}

/** Runs a form's action. A refused form is shown again with its values and an error at each wrong field. */
const act = (shell: Shell, page: Page, visit: Visit) =>
  Effect.gen(function* () {
    const values = yield* form
    if (values.get("form_token") !== visit.formToken) return yield* refusedForm
    const name = values.get("action") ?? ""
    const action = page.actions !== undefined && Object.hasOwn(page.actions, name) ? page.actions[name] : undefined
    const formId = values.get("form_id") ?? ""
    if (action === undefined || !/^[0-9A-Z]{26}$/.test(formId)) return yield* refusedForm
    const sending = { ...visit, actor: { ...visit.actor, formId } }
    // Whoever does not see a page cannot use its forms either.
    if (page.about !== undefined) yield* page.about(visit)
    const { barred } = yield* withRights(page, visit)
    if (barred?.actions.includes(name) === true) return yield* notFound(barredText(barred))
    const log = yield* ChangeLog
    const before = Effect.map(log.findByForm(formId), (line) =>
      line?.sessionId === visit.session.id ? line : undefined,
    )
    const used = (line: LoggedChange) => renderView(shell, page, visit, alreadySentView(line, pathTo(page, visit)))
    const line = yield* before
    if (line !== undefined) return yield* used(line)
    const done = yield* Effect.either(action.run(sending, values))
    if (done._tag === "Left") {
      const failure = done.left
      if (isAlreadySent(failure)) {
        const line = yield* before
        if (line !== undefined) return yield* used(line)
      }
      if (failure.status === 404) return yield* failure
      const shownWith = (failure: Failure) => refusedPage(shell, page, visit, { action: name, values, failure }, formId)
      if (failure.status < 500) return yield* shownWith(failure)
      yield* Effect.logWarning("A form of the dashboard failed", failure)
      const detail = `${failure.message} Try again in a moment; it will not be applied twice.`
      return yield* Effect.orElse(shownWith(fail(failure.code, { ...failure, detail })), () => failure)
    }
    if ("to" in done.right) return goTo(done.right.to)
    return yield* renderView(shell, page, visit, done.right)
  })

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
      const purpose = `sign-in:${yield* crypto.sha256(one)}`
      if ((yield* limits.peek(purpose, triesPerMinute.one)).remaining < 1)
        return yield* tooMany(minute / triesPerMinute.one)
      return yield* Effect.tapError(tried, ({ status }) =>
        Effect.gen(function* () {
          if (status >= 500) return
          yield* limits.take(purpose, triesPerMinute.one)
          // Checked after the code: somebody else behind the same address may have a valid one.
          const address = Visiting.addressOf(request) ?? ""
          const { ok, retryAfterMs } = yield* takeWithBlock(limits, "sign-ins", address, triesPerMinute.address)
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
  { guarded }: Pick<Visiting.Visiting, "guarded">,
  { people, limits, crypto }: Ports,
): ReadonlyArray<Route> => {
  const limited = limitedBy(limits, crypto)
  const begin = guarded((request, place) =>
    Effect.gen(function* () {
      const { ok, retryAfterMs } = yield* takeWithBlock(
        limits,
        "oidc-begin",
        Visiting.addressOf(request) ?? "",
        beginsPerMinute,
      )
      if (!ok) return yield* tooMany(retryAfterMs)
      const code = isPost(request) ? codeIn(yield* form) : ""
      const to = SignIn.returnTo(parseQuery(request.url).get("return_to"))
      const token = Redacted.value(yield* people.startSignIn(to, code === "" ? undefined : code))
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
      const departure = yield* people.takeSignIn(token)
      const returned = new URL(`${place.origin}${SignIn.paths.callback}`)
      returned.search = parseQuery(request.url).toString()
      const person = yield* provider.finish(returned, yield* SignIn.deriveBound(crypto, token))
      const signedIn = people.signIn(person, departure.codeHash, isOpen, Visiting.originOf(request))
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
const entrance = ({ guarded, readSession, visited }: Visiting.Visiting, signIn?: SignIn.SignIn) =>
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
      const isUnsent = parseQuery(request.url).has("unsent")
      const view = Enter.enterView(script, to, signIn?.provider.host, failure, isUnsent)
      const status = failure === undefined ? 200 : failure.status === 429 ? 429 : 422
      return pageWithoutSession(view, status, cookie === undefined ? { "set-cookie": Places.probe(place) } : {})
    }

    const enter = guarded((request, place) =>
      Effect.gen(function* () {
        if (!isPost(request)) {
          const to = SignIn.returnTo(parseQuery(request.url).get("return_to"))
          const session = yield* readSession(request, place)
          return session === undefined ? yield* enterPage(request, place, to) : goTo(to)
        }
        const values = yield* form
        const to = SignIn.returnTo(values.get("return_to"))
        // The page has set a cookie: without cookies a session would be lost at once, and the link with it.
        if (request.headers["cookie"] === undefined) return yield* enterPage(request, place, to, noCookies(place))
        const code = codeIn(values)
        const entered = yield* Effect.either(
          limited(request, code, people.acceptInvitation(code, Visiting.originOf(request))),
        )
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
        yield* people.endSession(visit.session.person.id, visit.session.id)
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

/**
 * The routes of the dashboard's pages. A page shows what its account has; its forms run verbs as the signed-in person.
 *
 * @param pages in the order of the navigation
 * @param signIn absent: people come by links alone
 * @param contact of the operator, a URL or `mailto:`
 */
export const make = (pages: ReadonlyArray<Page>, signIn?: SignIn.SignIn, contact?: string) =>
  Effect.gen(function* () {
    const shell = { pages, contact }
    const visiting = yield* Visiting.make
    const { failIfEnded, visited } = visiting

    const ofPage = (page: Page): ReadonlyArray<Route> => [
      route(
        "GET",
        page.path,
        visited(page, (visit) =>
          page.path === "/dashboard" && visit.account === undefined
            ? Effect.succeed(goTo("/dashboard/operator"))
            : renderPage(shell, page, visit),
        ),
      ),
      ...Object.entries(page.downloads ?? {}).map(([ending, download]) => ({
        ...route(
          "GET",
          page.path + ending,
          visited(page, (visit, request, place) =>
            Effect.gen(function* () {
              yield* allowed(page, visit)
              // `allowed` has refused a visit without an account.
              const text = yield* download.open(visit as AccountVisit)
              return yield* file(download, text, failIfEnded(visit as AccountVisit, request, place))
            }),
          ),
        ),
        types: [download.type],
      })),
      ...(page.actions === undefined
        ? []
        : [
            route(
              "POST",
              page.path,
              visited(page, (visit) => Effect.zipRight(allowed(page, visit), act(shell, page, visit))),
            ),
          ]),
    ]

    return [...pages.flatMap(ofPage), ...(yield* entrance(visiting, signIn)), yield* LiveJson.make(visiting)]
  })
