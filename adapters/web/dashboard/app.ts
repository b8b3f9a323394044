import * as Effect from "effect/Effect"
import { type Failure, fail, notFound } from "../../../core/Failure.ts"
import { type Changed, ChangeLog, isSentBefore } from "../../../core/people/Change.ts"
import type { Route } from "../../server/http/route.ts"
import { Site } from "../../server/http/Site.ts"
import { form, formsTo, goTo, html, refusedForm, retryAfter, route } from "./answers.ts"
import { file } from "./downloads.ts"
import * as Entrance from "./entrance.ts"
import { framed } from "./Frame.tsx"
import * as LiveJson from "./live/json.ts"
import { type AccountVisit, type Page, pathTo, type Sent, type View, type Visit } from "./Page.ts"
import { doneText, usedView } from "./Refused.tsx"
import { barredText, isFor, withRights } from "./rights.ts"
import type { SignIn } from "./signIn.ts"
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

/** A refused form's page with its values. Where the store failed, what it has done is not known: its id is kept. */
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

/** Runs a form's action. A refused form is shown again with its values, what was wrong at each field. */
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
    const before = Effect.map(log.ofForm(formId), (line) => (line?.sessionId === visit.session.id ? line : undefined))
    const used = (line: Changed) => renderView(shell, page, visit, usedView(line, pathTo(page, visit)))
    const line = yield* before
    if (line !== undefined) return yield* used(line)
    const done = yield* Effect.either(action.run(sending, values))
    if (done._tag === "Left") {
      const failure = done.left
      if (isSentBefore(failure)) {
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
 * The routes of the dashboard's pages. A page shows what its account has; its forms run verbs as the signed-in person.
 *
 * @param pages in the order of the navigation
 * @param signIn absent: people come by links alone
 * @param contact of the operator, a URL or `mailto:`
 */
export const make = (pages: ReadonlyArray<Page>, signIn?: SignIn, contact?: string) =>
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

    return [...pages.flatMap(ofPage), ...(yield* Entrance.make(visiting, signIn)), yield* LiveJson.make(visiting)]
  })
