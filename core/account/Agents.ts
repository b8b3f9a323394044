import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { change, type Failure, invalid, notFound } from "../Failure.ts"
import type { Page } from "../Page.ts"
import { Accounts, checkName } from "./Accounts.ts"
import { type Agent, monthOf, type Status } from "./Agent.ts"
import { type AgentFilter, AgentStore, type CapChange, type Caps, type Spender } from "./AgentStore.ts"
import type { Audit } from "./Ledger.ts"
import { PlatformCrypto } from "./PlatformCrypto.ts"
import * as Ulid from "./Ulid.ts"

/** The operator's commands on agents. A pause or revocation takes effect within one second in every process. */
export class Agents extends Context.Tag("market-signals/core/account/Agents")<
  Agents,
  {
    readonly create: (account: string, name: string, caps: Caps) => Effect.Effect<Agent, Failure>
    /** With its spend this month and in total, live and test apart. */
    readonly get: (idOrName: string) => Effect.Effect<Spender, Failure>
    readonly findIn: AgentStore["Type"]["findIn"]
    /** Newest first. */
    readonly list: (account: string, page: Page) => Effect.Effect<ReadonlyArray<Agent>, Failure>
    /** Newest first, each as `get` gives it, in one read. */
    readonly page: (accountId: string, filter: AgentFilter) => Effect.Effect<ReadonlyArray<Spender>, Failure>
    readonly pause: (idOrName: string) => Effect.Effect<Agent, Failure>
    readonly resume: (idOrName: string) => Effect.Effect<Agent, Failure>
    /** Permanent: its keys answer 401 from now on. */
    readonly revoke: (idOrName: string) => Effect.Effect<Agent, Failure>
    readonly setCaps: (idOrName: string, change: CapChange) => Effect.Effect<Agent, Failure>
    /**
     * Audit rows in the order in which their calls ended.
     *
     * @param since request id: only rows after its row; all rows when omitted
     */
    readonly audit: (idOrName: string, limit: number, since?: string) => Effect.Effect<ReadonlyArray<Audit>, Failure>
  }
>() {
  static readonly layer: Layer.Layer<Agents, never, Accounts | AgentStore | PlatformCrypto> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Agents,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const store = yield* AgentStore
    const secrets = yield* PlatformCrypto

    const find = Effect.fn("Agents.find")(function* (idOrName: string) {
      const agent = yield* store.find(idOrName)
      if (agent !== undefined) return agent
      return yield* notFound(
        `There is no agent ${JSON.stringify(idOrName)}.`,
        change("agent", "Use an agent id, or a name that only one agent has."),
      )
    })

    const setStatus = (status: Status) =>
      Effect.fn(`Agents.${status}`)(function* (idOrName: string) {
        const agent = yield* find(idOrName)
        if (agent.status === "revoked" && status !== "revoked") {
          return yield* invalid("agent", "Revoking is permanent. Create a new agent.")
        }
        yield* store.setStatus(agent.id, status)
        return { ...agent, status }
      })

    return Agents.of({
      create: Effect.fn("Agents.create")(function* (account, name, caps) {
        yield* checkName(name, "agt_")
        const { id: accountId } = yield* accounts.get(account)
        const createdAt = yield* Clock.currentTimeMillis
        const id = `agt_${Ulid.encode(createdAt, yield* secrets.randomBytes(10))}`
        const agent: Agent = { id, accountId, name, status: "active", ...caps, createdAt }
        if (!(yield* store.insert(agent)))
          return yield* invalid("name", `The account already has an agent named ${name}.`)
        return agent
      }),
      get: Effect.fn("Agents.get")(function* (idOrName) {
        const agent = yield* find(idOrName)
        return { agent, spend: yield* store.spend(agent.id, monthOf(yield* Clock.currentTimeMillis)) }
      }),
      findIn: store.findIn,
      list: (account, page) => Effect.flatMap(accounts.get(account), ({ id }) => store.ofAccount(id, page)),
      page: (accountId, filter) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => store.page(accountId, monthOf(now), filter)),
      pause: setStatus("paused"),
      resume: setStatus("active"),
      revoke: setStatus("revoked"),
      setCaps: Effect.fn("Agents.setCaps")(function* (idOrName, change) {
        const { id } = yield* find(idOrName)
        yield* store.setCaps(id, change)
        return yield* find(id)
      }),
      audit: Effect.fn("Agents.audit")(function* (idOrName, limit, since) {
        const { id } = yield* find(idOrName)
        const rows = yield* store.audit(id, since, limit)
        return rows ?? (yield* invalid("since", "This agent has no audit row with that request id."))
      }),
    })
  }),
)
