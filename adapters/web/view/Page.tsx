/** @jsxRuntime automatic @jsxImportSource preact */
import { type ComponentChildren, Fragment, type VNode } from "preact"
import { renderToString } from "preact-render-to-string"
import * as Release from "../../../core/release.ts"
import {
  capabilitiesPath,
  docsPath,
  getKeyPath,
  llmsTxtPath,
  openapiPath,
  schemasPath,
  statusPath,
} from "../../describe/paths.ts"
import type { Site } from "../../server/http/Site.ts"
import { type Asset, icon, pathOf, styleSheet } from "./assets.ts"

/** A link of the navigation. */
export interface Link {
  readonly path: string
  readonly label: string
}

/** Pages that the navigation offers where they are served, in its order. */
const navigation: ReadonlyArray<Link> = [
  { path: "/forecasts", label: "Forecasts" },
  { path: docsPath, label: "Docs" },
  { path: "/scoreboard", label: "Scoreboard" },
  { path: "/record", label: "Record" },
  { path: statusPath, label: "Status" },
  { path: "/dashboard", label: "Dashboard" },
]

/** Who runs it, and on what terms. */
const terms: ReadonlyArray<Link> = [
  { path: "/docs/guides/data-terms", label: "Sources and terms" },
  { path: "/support", label: "Support" },
  { path: "/terms", label: "Terms" },
  { path: "/privacy", label: "Privacy" },
]

/** The columns at the foot of every page: links for people and for programs, and the terms. */
const columns: ReadonlyArray<readonly [name: string, links: ReadonlyArray<Link>]> = [
  ["Product", navigation.filter(({ path }) => path !== docsPath)],
  [
    "Developers",
    [
      { path: docsPath, label: "Docs" },
      { path: "/install", label: "Install" },
      { path: openapiPath, label: "OpenAPI" },
      { path: llmsTxtPath, label: "llms.txt" },
      { path: schemasPath, label: "JSON Schemas" },
      { path: capabilitiesPath, label: "Agent capabilities" },
    ],
  ],
  ["Data", terms],
]

export interface Head {
  /** Without the product's name, which is added. */
  readonly title: string
  /** One sentence for search engines and link previews. */
  readonly description: string
  /** The page's own path, marked in the navigation. */
  readonly path: string
  /** A module that makes the page easier to use; the page works without it. */
  readonly script?: Asset
  /**
   * It is painted when all of it has come: a table that is painted row by row moves its columns with each wider one. For
   * pages of some tens of kilobytes; browsers that do not know the link paint as before.
   */
  readonly isWhole?: boolean
  /** In place of the header of all pages. */
  readonly header?: VNode
  /** The text of the search field. */
  readonly question?: string
  /** A side bar. */
  readonly side?: VNode
}

const foot = "foot"

const Links = ({
  site,
  links,
  path,
}: {
  readonly site: Site
  readonly links: ReadonlyArray<Link>
  readonly path: string
}) => (
  <ul>
    {links
      .filter((link) => site.served(link.path))
      .map((link) => (
        <li key={link.path}>
          <a
            href={link.path}
            {...(isWithin(path, link.path) ? { "aria-current": path === link.path ? "page" : "true" } : {})}
          >
            {link.label}
          </a>
        </li>
      ))}
  </ul>
)

const isWithin = (path: string, under: string): boolean => path === under || path.startsWith(`${under}/`)

/** Where the product's name leads. */
export const homeOf = (site: Site): string => (site.served("/") ? "/" : "#main")

interface Place {
  readonly site: Site
  readonly path: string
}

const Header = ({ site, path, question }: Place & { readonly question: string | undefined }) => (
  <header class="top">
    <a class="brand" href={homeOf(site)}>
      market-signals
    </a>
    <details class="menu">
      <summary>Menu</summary>
    </details>
    <nav aria-label="Pages">
      <Links site={site} links={navigation} path={path} />
    </nav>
    {site.served("/docs/search") && (
      <form class="search" action="/docs/search">
        <label class="unseen" for="search">
          Search documentation and pages
        </label>
        <input {...{ id: "search", name: "q", type: "search", placeholder: "Search" }} value={question ?? ""} />
      </form>
    )}
    {site.served(getKeyPath) && (
      <a class="button" href={getKeyPath}>
        Get a key
      </a>
    )}
  </header>
)

/** The foot of a page; in the dashboard, whose own links are at the side, those to other pages are in a row. */
const Footer = ({ site, path, isShort }: Place & { readonly isShort: boolean }) => (
  <footer class="bottom" id={foot}>
    {isShort ? (
      <p>
        {[...navigation, ...terms]
          .filter((link) => site.served(link.path))
          .map((link, at) => (
            <Fragment key={link.path}>
              {at > 0 && " · "}
              <a href={link.path}>{link.label}</a>
            </Fragment>
          ))}
      </p>
    ) : (
      <nav aria-label="All pages">
        {columns.map(([name, links]) => (
          <section key={name} aria-label={name}>
            <p aria-hidden="true">{name}</p>
            <Links site={site} links={links} path={path} />
          </section>
        ))}
      </nav>
    )}
    <p>
      Times are UTC. Amounts are US dollars. Forecasts are not investment advice; each is scored in public, misses
      included. {Release.name} {Release.version}, MIT licence.
    </p>
  </footer>
)

const Document = ({
  head,
  site,
  children,
}: {
  readonly head: Head
  readonly site: Site
  readonly children: ComponentChildren
}) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="description" content={head.description} />
      <meta name="color-scheme" content="light dark" />
      <title>{head.path === "/" ? head.title : `${head.title} · market-signals`}</title>
      <link rel="stylesheet" href={pathOf(styleSheet.name)} />
      <link rel="icon" href={pathOf(icon.name)} type="image/svg+xml" />
      {head.isWhole === true && <link rel="expect" href={`#${foot}`} {...{ blocking: "render" }} />}
      {head.script !== undefined && <script src={pathOf(head.script.name)} type="module" />}
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      {head.header ?? <Header site={site} path={head.path} question={head.question} />}
      {head.side === undefined ? (
        <main id="main">{children}</main>
      ) : (
        <div class="framed">
          {head.side}
          <main id="main">{children}</main>
        </div>
      )}
      <Footer site={site} path={head.path} isShort={head.header !== undefined} />
    </body>
  </html>
)

export const page = (head: Head, site: Site, body: VNode): string =>
  `<!doctype html>\n${renderToString(
    <Document head={head} site={site}>
      {body}
    </Document>,
  )}\n`
