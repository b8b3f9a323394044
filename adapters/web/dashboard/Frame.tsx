/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Site } from "../../server/http/Site.ts"
import { dashboardScript, pathOf } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { FormHead } from "./Form.tsx"
import { Live, Unless } from "./live/Live.tsx"
import * as values from "./live/values.ts"
import type { Page, View, Visit } from "./Page.ts"
import { Contact, minuteOf } from "./parts.tsx"
import { barredText } from "./rights.ts"

interface FrameProps {
  readonly visit: Visit
  readonly pages: ReadonlyArray<Page>
  /** The path of the shown page's template. */
  readonly path: string
  /** Of the operator. */
  readonly contact: string | undefined
  readonly children: ComponentChildren
}

/** Whether a page is for the person of a visit. */
export const isFor = ({ audience }: Page, { session, account }: Visit): boolean =>
  audience === "person" || (audience === "operator" ? session.person.isOperator : account !== undefined)

const Dashboard = ({ visit, pages, path, contact, children }: FrameProps) => (
  <div class="dashboard">
    <div class="who">
      <p>
        {visit.account === undefined ? "No account" : <strong>{visit.account.name}</strong>}
        <span class="soft">
          {" "}
          {visit.session.person.name}
          {visit.session.person.isOperator
            ? ", operator"
            : visit.session.role === undefined
              ? ""
              : `, ${visit.session.role}`}
        </span>
      </p>
      {visit.account !== undefined && (
        <p class="soft" data-live-stream={`${visit.session.id} ${visit.account.id}`}>
          As of {minuteOf(visit.now).slice(11)} UTC
        </p>
      )}
      <form method="post" action="/dashboard/sign-out" class="inline">
        <FormHead visit={visit} />
        <button type="submit">Sign out</button>
      </form>
    </div>
    <div class="with-side">
      <nav class="side" aria-label="Dashboard">
        <ul>
          {pages
            .filter((each) => each.label !== undefined && isFor(each, visit))
            .map((each) => (
              <li key={each.path}>
                <a
                  href={each.path}
                  {...(path === each.path
                    ? { "aria-current": "page" as const }
                    : each.path !== "/dashboard" && path.startsWith(`${each.path}/`)
                      ? { "aria-current": "true" as const }
                      : {})}
                >
                  {each.label}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <div>
        {visit.account !== undefined && (
          <Unless is={values.suspended({})} isShown={visit.account.suspendedAt !== undefined}>
            <strong>This account is suspended</strong> since <Live is={values.suspended(visit.account)} /> UTC: calls of
            its keys answer 403. Ask <Contact contact={contact} />.
          </Unless>
        )}
        {children}
        <details id="keyboard" hidden>
          <summary>Keyboard</summary>
          <p>
            <kbd>/</kbd> goes to the search of a list, <kbd>?</kbd> comes here.
          </p>
          <label class="check">
            <input type="checkbox" id="keyboard-use" checked /> Use these keys
          </label>
        </details>
      </div>
    </div>
  </div>
)

/**
 * A page of the dashboard as HTML text.
 *
 * @param contact of the operator, a URL or `mailto:`
 */
export const framed = (
  site: Site,
  pages: ReadonlyArray<Page>,
  path: string,
  visit: Visit,
  { title, body }: View,
  contact: string | undefined,
): string =>
  page(
    { title, description: `${title}: the dashboard of a market-signals account.`, path: "/dashboard", isWhole: true },
    site,
    <Dashboard visit={visit} pages={pages} path={path} contact={contact}>
      <h1>{title}</h1>
      {visit.barred !== undefined && <p class="notice">{barredText(visit.barred)}</p>}
      {body}
      <script src={pathOf(dashboardScript.name)} type="module" />
    </Dashboard>,
  )

/** A page without a session: sign-in, and why something is refused. */
export const plain = (site: Site, { title, body }: View): string =>
  page(
    { title, description: `${title}: the dashboard of a market-signals account.`, path: "/dashboard", isWhole: true },
    site,
    <div class="narrow">
      <h1>{title}</h1>
      {body}
    </div>,
  )
