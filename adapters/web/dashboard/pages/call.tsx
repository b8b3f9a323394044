/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { ComponentChildren } from "preact"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Calls, findCall } from "../../../../core/account/Calls.ts"
import type { Audit } from "../../../../core/account/Ledger.ts"
import { display, usd } from "../../../../core/account/Money.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { charge, isKeyless } from "../../../../core/endpoint/Endpoint.ts"
import { type Code, codes, notFound } from "../../../../core/Failure.ts"
import { Captures } from "../../../../core/record/captures/Captures.ts"
import { count } from "../../../../core/text.ts"
import { errorPath } from "../../../describe/paths.ts"
import { entryPath, playgroundOf } from "../../view/addresses.ts"
import { Facts, Inline, State } from "../../view/parts.tsx"
import { namesIn } from "../names.ts"
import { type AccountVisit, ofAccount, type Page, type Visit } from "../Page.ts"
import { agentLink, Environment, Time } from "../parts.tsx"

export const callsPath = "/dashboard/calls"

export const callPath = ({ requestId }: Pick<Audit, "requestId">): string => `${callsPath}/${requestId}`

/** The endpoint of a call, or several calls in one row. */
export const endpointText = ({ endpoint, calls = 1 }: Pick<Audit, "endpoint" | "calls">): string =>
  `${endpoint === "*" ? "several" : endpoint}${calls > 1 ? ` (${count(calls)} calls)` : ""}`

export const isCode = (code: string): code is Code => Object.hasOwn(codes, code)

/** The status that a call was answered with, and its error in words. */
export const Outcome = ({ status, code }: Pick<Audit, "status" | "code">) => (
  <span>
    <State is={{ tone: status < 400 ? "ok" : "attention", label: String(status) }} />
    {code !== undefined && <small title={code}> {isCode(code) ? codes[code].message : code}</small>}
  </span>
)

/** Where the cause of an error is mended; undefined: in the program that called. */
const mendedAt = ({ code, agentId, keyId }: Audit): { readonly href: string; readonly label: string } | undefined => {
  switch (code) {
    case "insufficient_funds":
      return { href: topUpPath, label: "Top up" }
    case "agent_budget_exceeded":
      return agentId === undefined ? undefined : { href: `/dashboard/agents/${agentId}#caps`, label: "Raise cap" }
    case "agent_paused":
      return agentId === undefined ? undefined : { href: `/dashboard/agents/${agentId}`, label: "Resume agent" }
    case "insufficient_scope":
    case "rate_limit_exceeded":
      return { href: `/dashboard/keys/${keyId}`, label: "View key" }
    default:
      return undefined
  }
}

/** The error in words, and its remedy. */
const Failed = ({ of, fields }: { readonly of: Audit; readonly fields: string | undefined }) => {
  const { code, status } = of
  if (status < 400) return null
  const next = mendedAt(of)
  return (
    <section class="urgent" aria-labelledby="why">
      <h2 id="why">{code !== undefined && isCode(code) ? codes[code].message : "The call failed."}</h2>
      {code !== undefined && isCode(code) && (
        <p>
          <Inline text={codes[code].docs} />
        </p>
      )}
      {fields === undefined ? (
        <p class="soft">The answer's hints say what to change. Names of bad fields are kept here for a day.</p>
      ) : (
        <p>
          Check{" "}
          {fields.split(", ").map((field, at) => (
            <>
              {at > 0 && ", "}
              <code>{field}</code>
            </>
          ))}
          . <span class="soft">Only names are kept, for a day.</span>
        </p>
      )}
      <p class="actions">
        {next !== undefined && <a href={next.href}>{next.label}</a>}
        {code !== undefined && isCode(code) && <a href={errorPath(code)}>About this error</a>}
        <a href={`${callsPath}?code=${code ?? ""}&status=${status}`}>Calls with this outcome</a>
      </p>
    </section>
  )
}

const readCall = (visit: Visit) =>
  Effect.flatMap(findCall(visit.account!.id, visit.params["call"] ?? ""), (call) =>
    call === undefined ? notFound("The account has no call with this request id.") : Effect.succeed(call),
  )

const chargeText = ({ charged, status }: Audit, isLive: boolean): string =>
  charged > 0
    ? usd(charged)
    : `nothing, ${status >= 400 ? "it failed" : isLive ? "it was free" : "the key is a test key"}`

/** What is stored of a call. */
const factsOf = (visit: AccountVisit, call: Audit, catalogue: Catalogue.Any) =>
  Effect.gen(function* () {
    const names = yield* namesIn(visit.account.id, [call])
    const [key] = yield* (yield* Accounts).keysNamed(visit.account.id, [call.keyId])
    const entry = yield* (yield* Captures).ofCall(call.requestId)
    const endpoint = Catalogue.live(catalogue).find(({ endpoint }) => endpoint.id === call.endpoint)?.endpoint
    const price = endpoint === undefined ? undefined : charge(endpoint)
    const { calls = 1 } = call
    return {
      Outcome: <Outcome {...call} />,
      Time: (
        <>
          <Time at={call.at} isExact />, <Time at={call.at} />
        </>
      ),
      Calls: calls > 1 && `${count(calls)} of this key in one minute, with the same result: the id is of the last one`,
      Endpoint:
        endpoint === undefined || isKeyless(endpoint) ? (
          endpointText(call)
        ) : (
          <>
            {endpoint.summary} <code>{endpoint.path}</code> · <a href={playgroundOf(endpoint.id)}>Open in playground</a>
          </>
        ),
      Key: (
        <>
          <a href={`/dashboard/keys/${call.keyId}`}>{names.keys.get(call.keyId) ?? call.keyId}</a>{" "}
          {key !== undefined && <Environment name={key.environment} />}
        </>
      ),
      Agent: agentLink(call.agentId, names),
      "Live price now": price !== undefined && display(price),
      Charged: chargeText(call, key?.environment === "live"),
      Latency: `${count(call.latencyMs)} ms${calls > 1 ? ", the longest" : ""}`,
      "Record entry": entry !== undefined && (
        <a href={entryPath(entry.id)}>
          <code>{entry.id}</code>
        </a>
      ),
      Parameters:
        call.paramsHash === "" ? (
          "not read"
        ) : (
          <>
            only their SHA-256: <code class="id">{call.paramsHash}</code>
          </>
        ),
    } satisfies Readonly<Record<string, ComponentChildren>>
  })

export const callPage = (catalogue: Catalogue.Any): Page =>
  ofAccount({
    path: `${callsPath}/:call`,
    about: readCall,
    view: (visit) =>
      Effect.gen(function* () {
        const call = yield* readCall(visit)
        const fields = call.status < 400 ? undefined : yield* (yield* Calls).fields(call.requestId)
        return {
          title: `Call of ${endpointText(call)}`,
          body: (
            <>
              <p>
                <code class="id">{call.requestId}</code>
              </p>
              <Failed of={call} fields={fields} />
              <Facts of={yield* factsOf(visit, call, catalogue)} />
              <p>
                <a href={callsPath}>All calls</a>
              </p>
            </>
          ),
        }
      }),
  })
