/** @jsxRuntime automatic @jsxImportSource preact */
import { capitalize } from "../../../core/text.ts"
import type { Site } from "../../server/http/Site.ts"
import { dashboardScript, pathOf } from "../view/assets.ts"
import { clock } from "../view/dates.ts"
import { homeOf, page } from "../view/Page.tsx"
import { FormHead } from "./Form.tsx"
import { Live, Unless } from "./live/Live.tsx"
import * as values from "./live/values.ts"
import { ModeSwitch, modeIn, withMode } from "./mode.tsx"
import { type Page, pathTo, type View, type Visit } from "./Page.ts"
import { root as operatorPath } from "./pages/operator/paths.ts"
import { searchPath } from "./pages/search.tsx"
import { Contact, Environment, Now } from "./parts.tsx"
import { barredText, isFor } from "./rights.ts"

/** Groups of the side bar, with the paths of their pages in order. */
const groups: ReadonlyArray<readonly [name: string, paths: ReadonlyArray<string>]> = [
  ["Activity", ["", "/calls", "/usage"]],
  ["Build", ["/keys", "/agents", "/alerts", "/webhooks", "/playground", "/connect"]],
  ["Billing", ["/wallet", "/top-up"]],
  ["Settings", ["/account", "/people", "/sessions", "/changes"]],
  ["Operator", ["/operator", "/operator/service", "/operator/deliveries", "/operator/store", "/operator/changes"]],
]

interface Group {
  readonly name: string
  readonly pages: ReadonlyArray<Page>
}

/** The groups of some pages; one without any is left out. */
export const grouped = (pages: ReadonlyArray<Page>): ReadonlyArray<Group> => {
  const byPath = new Map(pages.flatMap((page) => (page.label === undefined ? [] : [[page.path as string, page]])))
  return groups.flatMap(([name, paths]) => {
    const pages = paths.flatMap((path) => byPath.get(`/dashboard${path}`) ?? [])
    return pages.length === 0 ? [] : [{ name, pages }]
  })
}

/** The page of the side bar that a path is of: itself, or the nearest that it is under. The first page is above none. */
export const nearest = (pages: ReadonlyArray<Page>, path: string): Page | undefined =>
  pages
    .filter((page) => page.label !== undefined)
    .filter((page) => page.path === path || (page.path !== "/dashboard" && path.startsWith(`${page.path}/`)))
    .toSorted((one, other) => other.path.length - one.path.length)[0]

interface FrameProps {
  readonly visit: Visit
  readonly pages: ReadonlyArray<Page>
  /** The one that is shown. */
  readonly page: Page
  /** Of the operator. */
  readonly contact: string | undefined
}

const personText = ({ session: { person, role } }: Visit): string =>
  `${person.name}${person.isOperator ? ", operator" : role === undefined ? "" : `, ${role}`}`

/**
 * The header. In a narrow window the search and the way out are under the menu, with the side bar: `details` shows and hides
 * them without script.
 */
const Header = ({ visit, page, site }: Pick<FrameProps, "visit" | "page"> & { readonly site: Site }) => (
  <header class="bar">
    <a class="brand" href={homeOf(site)}>
      market-signals
    </a>
    <details class="account" id="keyboard">
      <summary>
        {visit.account === undefined ? "No account" : <strong>{visit.account.name}</strong>}{" "}
        <span class="soft">{personText(visit)}</span>
      </summary>
      <div class="card">
        {visit.account !== undefined && <a href="/dashboard/account">Account settings</a>}
        <a href="/dashboard/sessions">Your sessions</a>
        <label class="check" for="keyboard-use">
          <input type="checkbox" id="keyboard-use" checked /> <kbd>/</kbd> search, <kbd>?</kbd> this menu
        </label>
      </div>
    </details>
    <details class="menu">
      <summary>Menu</summary>
    </details>
    {page.hasModes === true && <ModeSwitch path={pathTo(page, visit)} visit={visit} />}
    <form class="search" action={visit.account === undefined ? operatorPath : searchPath}>
      <label class="unseen" for="search">
        {visit.account === undefined ? "Find an account" : "Search pages, keys, agents and calls"}
      </label>
      <input
        id="search"
        name="q"
        type="search"
        placeholder="Search"
        value={page.path === searchPath ? (visit.query.get("q") ?? "") : ""}
      />
    </form>
    <form method="post" action="/dashboard/sign-out" class="inline">
      <FormHead visit={visit} />
      <button type="submit">Sign out</button>
    </form>
  </header>
)

const SideBar = ({ visit, pages, page }: Pick<FrameProps, "visit" | "pages" | "page">) => {
  const shown = nearest(pages, page.path)
  return (
    <nav class="side" aria-label="Dashboard">
      {grouped(pages.filter((each) => isFor(each, visit))).map(({ name, pages: own }) => (
        <section key={name} aria-label={name}>
          <p aria-hidden="true">{name}</p>
          <ul>
            {own.map((each) => (
              <li key={each.path}>
                <a
                  href={withMode(each.path, visit.query)}
                  {...(each === shown ? { "aria-current": page === each ? ("page" as const) : ("true" as const) } : {})}
                >
                  {each.label}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

const Body = ({
  visit,
  page,
  view: { title, action, body },
  contact,
}: Omit<FrameProps, "pages"> & { readonly view: View }) => {
  const mode = modeIn(visit.query)
  return (
    <div class="dashboard">
      {visit.account !== undefined && (
        <Unless is={values.suspended({})} isShown={visit.account.suspendedAt !== undefined}>
          <strong>This account is suspended</strong> since <Live is={values.suspended(visit.account)} />: calls of its
          keys answer 403.
          {contact !== undefined && (
            <>
              {" "}
              Ask <Contact contact={contact} />.
            </>
          )}
        </Unless>
      )}
      <div class="title">
        <h1>{title}</h1>
        {page.hasModes === true && mode !== undefined && (
          <span class="soft">
            <Environment name={mode} /> keys only
          </span>
        )}
        {visit.account !== undefined && (
          <p class="soft" data-live-account={visit.account.id} data-live-at={visit.now}>
            As of {clock(visit.now)} UTC
          </p>
        )}
        {action !== undefined && (
          <a class="button" href={action.href}>
            {action.label}
          </a>
        )}
      </div>
      {visit.did !== undefined && (
        <p class="did" role="status">
          <span aria-hidden="true">✓</span> {capitalize(visit.did)}
        </p>
      )}
      {visit.barred !== undefined && <p class="notice">{barredText(visit.barred)}</p>}
      {body}
      <script src={pathOf(dashboardScript.name)} type="module" />
    </div>
  )
}

const headOf = (title: string) => ({
  title,
  description: `${title}: the dashboard of a market-signals account.`,
  path: "/dashboard",
  isWhole: true,
})

/**
 * A page of the dashboard as HTML text.
 *
 * @param contact of the operator, a URL or `mailto:`
 */
export const framed = (
  site: Site,
  pages: ReadonlyArray<Page>,
  shown: Page,
  visit: Visit,
  view: View,
  contact: string | undefined,
): string =>
  page(
    {
      ...headOf(view.title),
      header: <Header visit={visit} page={shown} site={site} />,
      side: <SideBar visit={visit} pages={pages} page={shown} />,
    },
    site,
    <Now.Provider value={visit.now}>
      <Body visit={visit} page={shown} contact={contact} view={view} />
    </Now.Provider>,
  )

/** A page without a session: sign-in, and why something is refused. */
export const plain = (site: Site, { title, body }: View): string =>
  page(
    headOf(title),
    site,
    <div class="narrow">
      <h1>{title}</h1>
      {body}
    </div>,
  )
