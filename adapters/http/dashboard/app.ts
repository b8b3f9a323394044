import * as Effect from "effect/Effect"
import type { Failure } from "../../../core/Failure.ts"
import { fail } from "../../../core/Failure.ts"
import { ofMount, type Route } from "../route.ts"
import { Site } from "../view/Page.tsx"
import { file, form, goTo, html, refusedForm, route } from "./answers.ts"
import * as Entrance from "./entrance.ts"
import { framed, isFor } from "./Frame.tsx"
import * as Events from "./live/events.ts"
import type { AccountVisit, Page, Visit } from "./Page.ts"
import type { SignIn } from "./signIn.ts"
import * as Visiting from "./visiting.ts"

/**
 * The routes of the dashboard's pages. A page shows what its account has; its forms run verbs as the signed-in person.
 *
 * @param pages in the order of the navigation
 * @param signIn absent: people come by links alone
 */
export const make = (pages: ReadonlyArray<Page>, signIn?: SignIn) =>
  Effect.gen(function* () {
    const visiting = yield* Visiting.make
    const { visited } = visiting

    const pageOf = (page: Page, visit: Visit, status = 200) =>
      Effect.zipWith(page.view(visit), Site, (view, site) =>
        html(framed(site, pages, page.path, visit, view), view.status ?? status),
      )

    const allowed = (page: Page, visit: Visit): Effect.Effect<void, Failure> =>
      isFor(page, visit) ? Effect.void : fail("not_found", { detail: "There is no such page." })

    /** Runs a form's action. A refused form is shown again with its values, what was wrong at each field. */
    const acted = (page: Page, visit: Visit) =>
      Effect.gen(function* () {
        const values = yield* form
        if (values.get("form_token") !== visit.formToken) return yield* refusedForm
        const name = values.get("action") ?? ""
        const action = page.actions !== undefined && Object.hasOwn(page.actions, name) ? page.actions[name] : undefined
        const formId = values.get("form_id") ?? ""
        if (action === undefined || !/^[0-9A-Z]{26}$/.test(formId)) return yield* refusedForm
        const sending = { ...visit, actor: { ...visit.actor, formId } }
        // Whoever does not see a page cannot use its forms either.
        yield* page.view(visit)
        const done = yield* Effect.either(action.run(sending, values))
        if (done._tag === "Left") {
          const failure = done.left
          const { status } = failure
          if (status === 404 || status >= 500) return yield* failure
          return yield* pageOf(page, { ...visit, sent: { action: name, values, failure } }, 422)
        }
        if ("to" in done.right) return goTo(done.right.to)
        const view = done.right
        return yield* Effect.map(Site, (site) => html(framed(site, pages, page.path, visit, view)))
      })

    const ofPage = (page: Page): ReadonlyArray<Route> => [
      route(
        "GET",
        page.path,
        visited(page, (visit) =>
          page.path === "/dashboard" && visit.account === undefined
            ? Effect.succeed(goTo("/dashboard/operator"))
            : Effect.zipRight(allowed(page, visit), pageOf(page, visit)),
        ),
      ),
      ...Object.entries(page.downloads ?? {}).map(([ending, download]) => ({
        ...route(
          "GET",
          page.path + ending,
          visited(page, (visit) =>
            Effect.zipRight(
              allowed(page, visit),
              // `allowed` has refused a visit without an account.
              Effect.map(download.open(visit as AccountVisit), (text) => file(download, text)),
            ),
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
              visited(page, (visit) => Effect.zipRight(allowed(page, visit), acted(page, visit))),
            ),
          ]),
    ]

    return [...pages.flatMap(ofPage), ...(yield* Entrance.make(visiting, signIn)), ...ofMount(yield* Events.make())]
  })
