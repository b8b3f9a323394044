/** @jsxRuntime automatic @jsxImportSource preact */

import { demoKey } from "../../../../core/account/ApiKey.ts"
import { codes, type Code as ErrorCode } from "../../../../core/Failure.ts"
import { docs } from "../../../describe/describe.ts"
import type { Site } from "../../../server/http/Site.ts"
import { Inline, Paragraphs, Table } from "../../view/parts.tsx"
import { retryAdvice } from "../ErrorPages.tsx"
import { Errors, FieldTable, findCommon, Parameters } from "./Fields.tsx"
import type { Reference } from "./operations.ts"

const keyLink = (site: Site) =>
  site.served("/dashboard") ? <a href="/dashboard/keys/new">Create key</a> : "the operator"

/** Kinds of keys and how to send one. */
export const Keys = ({ site }: { readonly site: Site }) => (
  <section>
    <h2 id="authentication">Keys</h2>
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
  </section>
)

const frequentCodes: ReadonlyArray<ErrorCode> = [
  "invalid_parameter",
  "missing_authorization",
  "insufficient_funds",
  "agent_budget_exceeded",
  "rate_limit_exceeded",
  "data_freshness_stale",
]

const Money = ({ site }: { readonly site: Site }) => (
  <>
    <p>
      A call is charged from the account's prepaid wallet when it succeeds, and never twice under one{" "}
      <code>Idempotency-Key</code>. <code>_meta.price.charged_micros</code> says how much: 1,000 micro-dollars are 0.001
      USD. Add <code>dry_run=true</code> to see price and balance first.
    </p>
    <p>
      A key may belong to an agent, whose monthly and total caps its calls cannot exceed, and may be limited to some
      lanes. Only its hash is stored: it is shown once.
    </p>
    {site.served("/dashboard") && (
      <p>
        <a href="/dashboard/top-up">Top up the wallet</a>, or{" "}
        <a href="/dashboard/agents/new">create an agent with a cap</a>.
      </p>
    )}
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
  </>
)

const Calls = ({ reference }: { readonly reference: Reference }) => (
  // The description begins with a call that the first page shows.
  <Paragraphs
    text={reference.description
      .split("\n\n")
      .filter((each) => !each.startsWith("`curl "))
      .join("\n\n")}
  />
)

const CommonFields = ({ reference }: { readonly reference: Reference }) => {
  const common = findCommon(reference)
  return (
    <>
      <h2 id="common">Parameters</h2>
      <Parameters caption="Parameters of many operations" all={reference.shared} />
      <h2 id="fields">Fields</h2>
      <FieldTable caption="Fields of many answers" rows={[...common.fields.values()]} />
      <h2 id="errors">Errors</h2>
      <Errors codes={common.errors.keys()} />
    </>
  )
}

/** A page of the documents that is about no group of operations. */
export interface Chapter {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly Body: (props: { readonly reference: Reference; readonly site: Site }) => preact.JSX.Element
}

/** What holds for all operations, in the order of the navigation. */
export const chapters: ReadonlyArray<Chapter> = [
  {
    path: `${docs}/calls`,
    title: "How calls work",
    description: "Answers, limits, retries, paging and versions.",
    Body: Calls,
  },
  {
    path: `${docs}/money`,
    title: "Money and errors",
    description: "What a call costs, when it is free, and what to do when it fails.",
    Body: Money,
  },
  {
    path: `${docs}/common`,
    title: "Common fields",
    description: "Parameters, fields and errors that many operations have.",
    Body: CommonFields,
  },
]
