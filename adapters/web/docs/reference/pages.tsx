/** @jsxRuntime automatic @jsxImportSource preact */

import { demoKey } from "../../../../core/account/ApiKey.ts"
import { codes, type Code as ErrorCode } from "../../../../core/Failure.ts"
import { docs, docsOf } from "../../../describe/describe.ts"
import * as Configuration from "../../../describe/tools/configuration.ts"
import * as Protocol from "../../../describe/tools/protocol.ts"
import type { Site } from "../../../server/http/Site.ts"
import { copyScript, searchScript } from "../../view/assets.ts"
import { page } from "../../view/Page.tsx"
import { Code, Inline, Paragraphs, Table } from "../../view/parts.tsx"
import { EditorLinks } from "../EditorLinks.tsx"
import { retryAdvice } from "../ErrorPages.tsx"
import { Errors, FieldTable, findCommon, Parameters } from "./Fields.tsx"
import { Marks, OperationSection, Price } from "./OperationSection.tsx"
import type { Group, Reference } from "./operations.ts"
import type { Runs } from "./running.ts"
import { listEntries, Search } from "./Search.tsx"
import type { Run } from "./Try.tsx"

const Groups = ({ reference, path }: { readonly reference: Reference; readonly path: string }) => (
  <nav class="side" aria-label="Reference">
    <ul>
      <li>
        <a href={docs} {...(path === docs ? { "aria-current": "page" } : {})}>
          Overview
        </a>
      </li>
      {reference.groups.map(({ name, operations }) => (
        <li key={name}>
          <a href={docsOf(name)} {...(path === docsOf(name) ? { "aria-current": "page" } : {})}>
            {name}
          </a>
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

const Listing = ({ group: { name, description, operations } }: { readonly group: Group }) => (
  <section class="listing">
    <h2 id={name} class="lane">
      <a href={docsOf(name)}>{name}</a>
    </h2>
    <p>{description}</p>
    <Table
      caption={`Operations of ${name}`}
      columns={["Answers", "Call", "Price"]}
      rows={operations.map((operation) => [
        <a key="summary" href={`${docsOf(name)}#${operation.id}`}>
          {operation.summary}
        </a>,
        <code key="call">
          {operation.method} {operation.path}
        </code>,
        <>
          <Price {...operation} /> <Marks operation={operation} />
        </>,
      ])}
    />
  </section>
)

/** How to begin: the key, the money, and what to do when a call fails. */
const Chapters = ({ site }: { readonly site: Site }) => (
  <>
    <section>
      <h2 id="authentication">Authentication</h2>
      <p>
        Send <code>Authorization: Bearer &lt;API key&gt;</code> with every call; endpoints marked <em>no key</em> need
        none.
      </p>
      <Table
        caption="Kinds of keys"
        columns={["Key", "Answers", "Costs", "From"]}
        rows={[
          ["Demo", "sample data", "free, 60 calls a minute and address", <code key="demo">{demoKey}</code>],
          ["Test", "sample data", "free", keyLink(site)],
          ["Live", "live data", "the price of each call", keyLink(site)],
        ]}
      />
      <p class="soft">
        A key may belong to an agent, whose monthly and total caps its calls cannot exceed, and may be limited to some
        lanes. Only its hash is stored: it is shown once.
      </p>
    </section>
    <section>
      <h2 id="money">Money</h2>
      <p>
        A call is charged from the account's prepaid wallet when it succeeds, and never twice under one{" "}
        <code>Idempotency-Key</code>. <code>_meta.price.charged_micros</code> says how much: 1,000 micro-dollars are
        0.001 USD. Add <code>dry_run=true</code> to see price and balance first.
      </p>
      {site.served("/dashboard") && (
        <p>
          <a href="/dashboard/top-up">Top up the wallet</a>, or{" "}
          <a href="/dashboard/agents/new">create an agent with a cap</a>.
        </p>
      )}
    </section>
    <section>
      <h2 id="failures">When a call fails</h2>
      <p>
        Nothing is charged. <code>error.hints</code> names the field and the next valid step;{" "}
        <code>error.recoverable</code> and <code>error.retry_after_ms</code> say whether and when to try again.
      </p>
      <Table
        caption="The most frequent errors and the next step"
        columns={["Status", "Code", "Next step"]}
        rows={frequentCodes.map((code) => [
          codes[code].status,
          <a key={code} href={`/errors/${code}`}>
            {code}
          </a>,
          <Inline
            key={`${code} next`}
            text={`${retryAdvice(code)}. ${codes[code].docs.split(". ")[0]!.replace(/\.$/, "")}.`}
          />,
        ])}
      />
    </section>
  </>
)

const frequentCodes: ReadonlyArray<ErrorCode> = [
  "invalid_parameter",
  "missing_authorization",
  "insufficient_funds",
  "agent_budget_exceeded",
  "rate_limit_exceeded",
  "data_freshness_stale",
]

const keyLink = (site: Site) =>
  site.served("/dashboard") ? <a href="/dashboard/keys/new">Create key</a> : "the operator"

/** All that the search finds, for the page's script. */
export const searchIndex = (reference: Reference): string => JSON.stringify({ entries: listEntries(reference, docs) })

/** The first page: the search, how to call, and every operation in one line. */
export const overview = (reference: Reference, site: Site, baseUrl: string, question = ""): string => {
  const first = reference.groups.flatMap(({ operations }) => operations).find(({ curl }) => curl !== undefined)
  const example = first?.answers[0]?.example
  const common = findCommon(reference)
  // The description begins with the same call.
  const rules = reference.description.split("\n\n").filter((each) => !each.startsWith("`curl "))
  return page(
    {
      title: "API reference",
      description: `Every endpoint of ${reference.title}, its price and an answer.`,
      path: docs,
      script: searchScript,
    },
    site,
    <div class="with-side">
      <Groups reference={reference} path={docs} />
      <div>
        <h1>
          {reference.title} API <small>{reference.version}</small>
        </h1>
        <Search entries={question === "" ? [] : listEntries(reference, docs)} index={docs} question={question} />
        <div id="rest" hidden={question !== ""}>
          {first?.curl !== undefined && <Code text={first.curl.replace("$MARKET_SIGNALS_KEY", demoKey)} lang="sh" />}
          {example !== undefined && <Code text={JSON.stringify(example, null, 2)} lang="json" label="Sample answer" />}
          {site.served(Protocol.paths.streamable) && (
            <section>
              <h2 id="connect">Connect an MCP client</h2>
              <p>
                <EditorLinks baseUrl={baseUrl} />. Claude Code:
              </p>
              <Code text={Configuration.claudeCode(baseUrl, "$MARKET_SIGNALS_KEY")} />
              <p>Clients that start a command, such as Claude Desktop. {Configuration.installFirst}</p>
              <Code text={Configuration.textOf(Configuration.overStdio(baseUrl, Configuration.keyPlace))} />
            </section>
          )}
          <Chapters site={site} />
          <section>
            <h2 id="rules">How calls work</h2>
            <Paragraphs text={rules.join("\n\n")} />
          </section>
          {reference.groups.map((group) => (
            <Listing key={group.name} group={group} />
          ))}
          <section>
            <h2 id="common">Common parameters</h2>
            <Parameters caption="Parameters of many operations" all={reference.shared} />
          </section>
          <section>
            <h2 id="fields">Common fields</h2>
            <FieldTable caption="Fields of many answers" rows={[...common.fields.values()]} />
          </section>
          <section>
            <h2 id="errors">Common errors</h2>
            <Errors codes={common.errors.keys()} />
          </section>
        </div>
      </div>
    </div>,
  )
}

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
      script: copyScript,
    },
    site,
    <div class="with-side">
      <Groups reference={reference} path={docsOf(group.name)} />
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
            isRunnable={runs.has(operation.id)}
            run={run?.id === operation.id ? run : undefined}
          />
        ))}
      </div>
    </div>,
  )
}
