import { type Funds, type Price, refusal } from "../account/decide.ts"
import type { Caller } from "../account/Keyring.ts"
import { MicroUsd, zero } from "../account/Money.ts"
import type { Buyer } from "../call/Capture.ts"
import type * as Lane from "../endpoint/Lane.ts"
import { type Code, type Failure, fail } from "../Failure.ts"
import type { Role } from "../people/Person.ts"

/**
 * The rights of a key or a person at this moment. The gateway, sealed leaves, streams, alerts, the playground, files, pages and
 * verbs ask here and decide nothing themselves.
 */
export interface Rights {
  /** Why every request is refused: the operator suspended the account, or its owner paused the agent. */
  readonly stopped: Failure | undefined
  /** Why a call of a lane is refused, before its price. */
  readonly call: (lane: Pick<Lane.Any, "about" | "name">) => Failure | undefined
  /** Why the stream of the account's events is refused. */
  readonly follow: Failure | undefined
  /** Whether an answer that a buyer paid for in a lane may be read before everybody can read it. */
  readonly read: (buyer: Buyer | undefined, lane: string | undefined) => boolean
  /** Whether the resources of an account, or of one of its agents, may be seen. */
  readonly see: (accountId: string | undefined, agentId?: string) => boolean
  /** Why the events of the whole account may not be subscribed to: an agent's key acts for that agent alone. */
  readonly subscribe: Failure | undefined
  /** Whether a verb may be run that requires at least a role; without one only operators may run it. */
  readonly run: (leastRole: Role | undefined) => boolean
}

/** The scope of keys that manage alerts and webhooks, beside those of the lanes. */
export const manageScope = "manage"

/** Why a call cannot be paid; the agent's caps are checked before the wallet. */
export type Unpayable = Extract<Code, "agent_budget_exceeded" | "insufficient_funds">

const refuse = (suggestion: string, detail?: string): Failure =>
  fail("insufficient_scope", {
    ...(detail === undefined ? {} : { detail }),
    hints: [{ field: "Authorization", action: "change", suggestion }],
  })

const keyless = fail("missing_authorization")
const [suspended, paused] = [fail("account_suspended"), fail("agent_paused")]
const testKey = refuse("Use a live key of the account.", "Alerts and webhooks are for live keys.")
const ofAgent = refuse("Use a key without an agent.", "Webhooks get the events of the whole account.")
const [nothing, no] = [() => undefined, () => false]

/** The rights without a key: only what is public. */
export const nobody: Rights = {
  stopped: undefined,
  call: nothing,
  follow: keyless,
  subscribe: keyless,
  read: no,
  see: no,
  run: no,
}

/**
 * A key: the calls of its scopes. It reads early what its account bought in them, or its agent if it is an agent's. Test
 * keys get generated data, and nothing that was sold.
 */
export const ofKey = (caller: Caller): Rights => {
  const { livemode, accountId, agent, scopes } = caller
  const stopped = caller.suspended === true ? suspended : agent?.paused === true ? paused : undefined
  const inScope = (lane: string | undefined): boolean =>
    scopes === undefined || (lane !== undefined && scopes.includes(lane))
  /** No key has this scope by default, so a key without scopes cannot manage. */
  const manages = scopes?.includes(manageScope) === true
  const mayCall = ({ name, about }: Pick<Lane.Any, "about" | "name">): boolean =>
    about === "market" ? inScope(name) : about === "caller" || manages
  return {
    stopped,
    call: (lane) =>
      stopped ??
      (!mayCall(lane)
        ? refuse(`Use a key whose scopes include ${lane.name}.`)
        : lane.about === "account" && !livemode
          ? testKey
          : undefined),
    subscribe: agent === undefined ? undefined : ofAgent,
    follow: stopped ?? (livemode ? undefined : testKey),
    read: (buyer, lane) =>
      stopped === undefined &&
      livemode &&
      accountId === buyer?.accountId &&
      (agent === undefined || agent.id === buyer.agentId) &&
      inScope(lane),
    see: (account, agentId) =>
      livemode && manages && accountId === account && (agent === undefined || agent.id === agentId),
    run: no,
  }
}

/** A signed-in person with a role in one account; undefined: an operator, in all accounts. */
export const ofPerson = (member: { readonly accountId: string; readonly role: Role } | undefined): Rights => ({
  ...nobody,
  see: (accountId) => accountId !== undefined && (member === undefined || member.accountId === accountId),
  run: (leastRole) =>
    member === undefined || leastRole === "viewer" || (leastRole === "owner" && member.role === "owner"),
})

/**
 * Why a price cannot be paid now; undefined: it can. A forecast: the settlement decides.
 *
 * @param earlier cost of the calls that come first
 */
export const unpayable = (
  { balance, agent }: Funds,
  price: Price,
  earlier: Price = { list: zero, micros: zero },
): Unpayable | undefined => {
  const verdict = refusal(
    {
      balance: MicroUsd(balance - earlier.micros),
      ...(agent && {
        agent: {
          ...agent,
          monthSpent: MicroUsd(agent.monthSpent + earlier.list),
          totalSpent: MicroUsd(agent.totalSpent + earlier.list),
        },
      }),
    },
    price,
  )
  if (verdict === undefined) return undefined
  return verdict._tag === "Capped" ? "agent_budget_exceeded" : "insufficient_funds"
}
