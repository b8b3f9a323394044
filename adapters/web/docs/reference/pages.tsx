/** @jsxRuntime automatic @jsxImportSource preact */

import { display } from "../../../../core/account/Money.ts"
import { docs, docsOf } from "../../../describe/describe.ts"
import type { Site } from "../../../server/http/Site.ts"
import { pageScript } from "../../view/assets.ts"
import { page } from "../../view/Page.tsx"
import { numeric, Table } from "../../view/parts.tsx"
import { Begin } from "../Begin.tsx"
import * as WebhookDocs from "../webhookDocs.ts"
import { type Chapter, chapters, Keys } from "./Chapters.tsx"
import { findCommon } from "./Fields.tsx"
import { OperationSection } from "./OperationSection.tsx"
import type { Group, Reference } from "./operations.ts"
import type { Runs } from "./running.ts"
import type { Run } from "./Try.tsx"

/** Pages beside those of groups, with what each is about. */
const guides: ReadonlyArray<Pick<Chapter, "path" | "title" | "description">> = [
  ...chapters,
  { path: "/errors", title: "Errors", description: "Every error code, its meaning and what to do about it." },
  {
    path: WebhookDocs.path,
    title: "Receiving webhooks",
    description: "How to receive and verify what the service sends.",
  },
]

const Navigation = ({ reference, path }: { readonly reference: Reference; readonly path: string }) => {
  const link = (to: string, name: string) => (
    <a href={to} {...(path === to ? { "aria-current": "page" } : {})}>
      {name}
    </a>
  )
  return (
    <nav class="side" aria-label="Documentation">
      <ul>
        <li>{link(docs, "Overview")}</li>
        {guides.map((guide) => (
          <li key={guide.path}>{link(guide.path, guide.title)}</li>
        ))}
        {reference.groups.map(({ name, operations }) => (
          <li key={name}>
            {link(docsOf(name), name)}
            {path === docsOf(name) && (
              <ul>
                {operations.map(({ id, path: at }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{at}</a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The prices of a group's operations. */
const pricesIn = ({ operations }: Group): string => {
  const prices = operations.flatMap(({ micros }) => micros ?? []).sort((a, b) => a - b)
  const [low, high] = [prices[0], prices.at(-1)]
  if (low === undefined || high === undefined) return "free"
  return low === high ? display(low) : `${display(low)} to ${display(high)}`
}

/** The first page: three ways to begin, and where everything is. */
export const overview = (reference: Reference, site: Site, baseUrl: string): string =>
  page(
    {
      title: "Documentation",
      description: `How to call ${reference.title}: every endpoint, its price and an answer.`,
      path: docs,
      script: pageScript,
    },
    site,
    <div class="with-side">
      <Navigation reference={reference} path={docs} />
      <div>
        <h1>
          Documentation <small>{reference.version}</small>
        </h1>
        <Begin site={site} baseUrl={baseUrl} />
        <Keys site={site} />
        <section>
          <h2>Guides</h2>
          <Table
            caption="Guides"
            columns={["Page", "About"]}
            rows={guides.map(({ path, title, description }) => [
              <a key={path} href={path}>
                {title}
              </a>,
              description,
            ])}
          />
        </section>
        <section class="listing">
          <h2 id="reference">Reference</h2>
          <Table
            caption="Groups of operations"
            columns={["Group", numeric("Operations"), "Price of a call", { name: "What it answers", isWide: true }]}
            rows={reference.groups.map((group) => [
              <a key={group.name} class="lane" href={docsOf(group.name)}>
                {group.name}
              </a>,
              group.operations.length,
              pricesIn(group),
              group.description,
            ])}
          />
        </section>
      </div>
    </div>,
  )

/** A page about all operations. */
export const ofChapter = (reference: Reference, { path, title, description, Body }: Chapter, site: Site): string =>
  page(
    { title, description, path, script: pageScript },
    site,
    <div class="with-side">
      <Navigation reference={reference} path={path} />
      <div>
        <h1>{title}</h1>
        <p class="lead">{description}</p>
        <Body reference={reference} site={site} />
      </div>
    </div>,
  )

/** The page of a group. */
export const ofGroup = (
  reference: Reference,
  group: Group,
  site: Site,
  baseUrl: string,
  runs: Runs,
  run?: Run,
): string => {
  const common = findCommon(reference)
  return page(
    {
      title: `${group.name} · API reference`,
      description: group.description,
      path: docsOf(group.name),
      script: pageScript,
    },
    site,
    <div class="with-side">
      <Navigation reference={reference} path={docsOf(group.name)} />
      <div>
        <h1 class="lane">{group.name}</h1>
        <p class="lead">{group.description}</p>
        {group.operations.map((operation) => (
          <OperationSection
            key={operation.id}
            operation={operation}
            schemas={reference.schemas}
            common={common}
            baseUrl={baseUrl}
            site={site}
            group={group.name}
            fields={runs.get(operation.id)?.fields}
            run={run?.id === operation.id ? run : undefined}
          />
        ))}
      </div>
    </div>,
  )
}
