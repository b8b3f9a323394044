/** @jsxRuntime automatic @jsxImportSource preact */
import * as Arr from "effect/Array"
import type { ComponentChildren } from "preact"
import { demoKey } from "../../../../core/account/ApiKey.ts"
import { clients, path as installPath } from "../../../describe/clients.ts"
import { priceRange } from "../../../describe/figures.ts"
import type { Guide } from "../../../describe/guides.ts"
import { docsPath, errorsPath, groupDocsPath } from "../../../describe/paths.ts"
import type { Site } from "../../../server/http/Site.ts"
import { ClientTabs } from "../../install/InstallPage.tsx"
import { pageScript } from "../../view/assets.ts"
import { type Head, page } from "../../view/Page.tsx"
import { Inline, numeric, Table } from "../../view/parts.tsx"
import * as Guides from "../Guide.tsx"
import { Errors, FieldTable, findCommon, Parameters } from "./Fields.tsx"
import { Example, OperationSection } from "./OperationSection.tsx"
import type { Group, Reference } from "./operations.ts"
import type { Runs } from "./running.ts"
import type { Run } from "./Try.tsx"

/** What the pages are made of. */
export interface Documentation {
  readonly reference: Reference
  readonly guides: ReadonlyArray<Guide>
}

/** A page that is neither guide nor group, with its summary. */
type Listed = Pick<Guide, "path" | "title" | "summary">

/** What many operations have. */
export const common: Listed = {
  path: `${docsPath}/common`,
  title: "Common fields",
  summary: "Parameters, fields and errors that many operations have.",
}

const others: ReadonlyArray<Listed> = [
  common,
  { path: errorsPath, title: "Errors", summary: "Every error code, its meaning and what to do about it." },
]

const guidesId = "guides"

/** The list at the side: guides and operations are listed where one of them is shown. */
const Navigation = ({ all, path }: { readonly all: Documentation; readonly path: string }) => {
  const link = (to: string, name: string, isWithin = false) => (
    <a href={to} {...(path === to ? { "aria-current": "page" } : isWithin ? { "aria-current": "true" } : {})}>
      {name}
    </a>
  )
  const inPage = (all: ReadonlyArray<readonly [id: string, name: string]>) => (
    <ul>
      {all.map(([id, name]) => (
        <li key={id}>
          <a href={`#${id}`}>{name}</a>
        </li>
      ))}
    </ul>
  )
  const inGuide = all.guides.some((guide) => guide.path === path)
  return (
    <nav class="side" aria-label="Documentation">
      <ul>
        <li>{link(docsPath, "Overview")}</li>
        <li>
          {link(`${docsPath}#${guidesId}`, "Guides", inGuide)}
          {(path === docsPath || inGuide) && (
            <ul>
              {all.guides.map((guide) => (
                <li key={guide.path}>
                  {link(guide.path, guide.title)}
                  {path === guide.path &&
                    inPage(
                      Guides.sections(guide).flatMap(({ heading, anchor = "" }) =>
                        anchor === "" ? [] : [[anchor, heading]],
                      ),
                    )}
                </li>
              ))}
            </ul>
          )}
        </li>
        {others.map((other) => (
          <li key={other.path}>{link(other.path, other.title)}</li>
        ))}
        {all.reference.groups.map(({ name, operations }) => (
          <li key={name}>
            {link(groupDocsPath(name), name)}
            {path === groupDocsPath(name) &&
              inPage(operations.map(({ id, path }) => [id, path.replace(/^\/v1\/\w+(?=\/)/, "")]))}
          </li>
        ))}
      </ul>
    </nav>
  )
}

const beside = (all: Documentation, head: Omit<Head, "script">, site: Site, body: ComponentChildren): string =>
  page(
    { ...head, script: pageScript },
    site,
    <div class="with-side">
      <Navigation all={all} path={head.path} />
      <div>{body}</div>
    </div>,
  )

/** The first of the dearest operations, the best example of the product. */
const dearest = ({ groups }: Reference) =>
  groups.flatMap(({ operations }) => operations).toSorted((a, b) => (b.micros ?? 0) - (a.micros ?? 0))[0]

/** Ways to begin, by the guide that each leads to. */
const ways = [
  ["Call it", `${docsPath}/guides/quickstart`],
  ["Give it to an agent", `${docsPath}/guides/mcp`],
  ["Build on a client", `${docsPath}/guides/typescript`],
] as const

/** The first page: how to begin, and where everything is. */
export const overview = (all: Documentation, site: Site, baseUrl: string): string => {
  const first = dearest(all.reference)
  return beside(
    all,
    {
      title: "Documentation",
      description: `How to call ${all.reference.title}: every endpoint, its price and an answer.`,
      path: docsPath,
    },
    site,
    <>
      <h1>
        Documentation <small>{all.reference.version}</small>
      </h1>
      <ul class="tiles">
        {ways.flatMap(([name, path]) => {
          const guide = all.guides.find((each) => each.path === path)
          if (guide === undefined) return []
          return [
            <li key={path}>
              <a class="tile" href={path}>
                <strong>{name}</strong>
                <small>
                  <Inline text={guide.summary} />
                </small>
              </a>
            </li>,
          ]
        })}
      </ul>
      <h2>First call</h2>
      <section class="columns">
        <div>
          <ClientTabs id="begin" all={clients({ baseUrl, key: demoKey, call: first, served: site.served })} />
          {site.served(installPath) && (
            <p class="soft">
              <a href={installPath}>All on one page</a>, with the files of this server.
            </p>
          )}
        </div>
        {first !== undefined && first.answers[0] !== undefined && (
          <div>
            <Example of={`${first.method} ${first.path}`} answer={first.answers[0]} />
          </div>
        )}
      </section>
      <section>
        <h2 id={guidesId}>Guides</h2>
        <div class="chapters">
          {Object.entries(Arr.groupBy(all.guides, ({ chapter }) => chapter)).map(([chapter, guides]) => (
            <div key={chapter}>
              <h3>{chapter}</h3>
              <ul>
                {guides.map(({ path, title, summary }) => (
                  <li key={path}>
                    <a href={path}>{title}</a>
                    <p class="soft">
                      <Inline text={summary} />
                    </p>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
      <section class="listing">
        <h2 id="reference">Reference</h2>
        <Table
          caption="Groups of operations"
          columns={[
            "Group",
            numeric("Operations"),
            numeric("Price of a call"),
            { name: "What it answers", isWide: true },
          ]}
          rows={all.reference.groups.map((group) => [
            <a key={group.name} class="lane" href={groupDocsPath(group.name)}>
              {group.name}
            </a>,
            group.operations.length,
            priceRange(group.operations.flatMap(({ micros }) => micros ?? [])),
            <Inline key={group.name} text={group.description} />,
          ])}
        />
        <p class="soft">
          All of them have the <a href={common.path}>common fields</a> and <a href={errorsPath}>errors</a>.
        </p>
      </section>
    </>,
  )
}

/** The page of a guide. */
export const ofGuide = (all: Documentation, guide: Guide, site: Site): string =>
  beside(
    all,
    { title: guide.title, description: guide.summary, path: guide.path },
    site,
    <>
      <h1>{guide.title}</h1>
      <Guides.Body guide={guide} site={site} />
    </>,
  )

/** The page of fields, parameters and errors that many operations share. */
export const ofCommon = (all: Documentation, site: Site): string => {
  const shared = findCommon(all.reference)
  return beside(
    all,
    { ...common, description: common.summary },
    site,
    <>
      <h1>{common.title}</h1>
      <p class="lead">{common.summary}</p>
      <h2 id="common">Parameters</h2>
      <Parameters caption="Parameters of many operations" all={all.reference.shared} />
      <h2 id="fields">Fields</h2>
      <FieldTable caption="Fields of many answers" rows={[...shared.fields.values()]} />
      <h2 id="errors">Errors</h2>
      <Errors codes={shared.errors.keys()} />
    </>,
  )
}

/** The page of a group. */
export const ofGroup = (
  all: Documentation,
  group: Group,
  site: Site,
  baseUrl: string,
  runs: Runs,
  run?: Run,
): string => {
  const shared = findCommon(all.reference)
  return beside(
    all,
    { title: `${group.name} · API reference`, description: group.description, path: groupDocsPath(group.name) },
    site,
    <>
      <h1 class="lane">{group.name}</h1>
      <p class="lead">{group.description}</p>
      {group.operations.map((operation) => (
        <OperationSection
          key={operation.id}
          operation={operation}
          schemas={all.reference.schemas}
          common={shared}
          baseUrl={baseUrl}
          site={site}
          group={group.name}
          fields={runs.get(operation.id)?.fields}
          run={run?.id === operation.id ? run : undefined}
        />
      ))}
    </>,
  )
}
