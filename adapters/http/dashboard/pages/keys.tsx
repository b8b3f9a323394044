/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { KeyRecord } from "../../../../core/account/AccountStore.ts"
import * as Store from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { Agent } from "../../../../core/account/Agent.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { fail } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { verbs as verbsOf } from "../../../admin/verbs.ts"
import { Table } from "../../view/Table.tsx"
import { confirmed, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { Changed, Live, LiveState } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { ofAccount, type Page, type View, type Visit } from "../Page.ts"
import { Confirm, Environment, Find, Secret, Time } from "../parts.tsx"

type Names = ReadonlyMap<string, Agent>

const pathOf = ({ id }: Pick<KeyRecord, "id">): string => `/dashboard/keys/${id}`

const shownAs = (key: KeyRecord): string => `…${key.lastFour}`

const Used = ({ of }: { readonly of: KeyRecord }) => (
  <Live is={values.keyUse(of)} as={of.lastUsedAt === undefined ? "span" : "time"} />
)

const List = ({
  keys,
  agents,
  visit,
  caption,
}: {
  readonly keys: ReadonlyArray<KeyRecord>
  readonly agents: Names
  readonly visit: Visit
  readonly caption: string
}) => (
  <Table
    caption={caption}
    columns={[
      { name: "Key" },
      { name: "Kind" },
      { name: "State" },
      { name: "Agent" },
      { name: "Calls a minute", isNumber: true },
      { name: "Last used" },
      { name: "Ends" },
    ]}
    rows={keys.map((key) => [
      <a key="key" href={pathOf(key)}>
        {shownAs(key)}
      </a>,
      <Environment key="kind" name={key.environment} />,
      <LiveState key="state" is={values.keyState(key, visit.now)} />,
      key.agentId === undefined ? "none" : (agents.get(key.agentId)?.name ?? key.agentId),
      key.perMinute,
      <Used key="used" of={key} />,
      Store.endOf(key) === undefined ? "never" : <Time key="ends" at={Store.endOf(key)} />,
    ])}
  />
)

const agentsOf = (accountId: string) =>
  Effect.map(
    Effect.flatMap(Agents, ({ list }) => list(accountId)),
    (all): Names => new Map(all.map((agent) => [agent.id, agent])),
  )

/** Keys of a page, and ended ones below the open ones. */
const most = 50
const fewEnded = 10

const listPath = "/dashboard/keys"

const addressOf = (values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]],
  )
  return given.length === 0 ? listPath : `${listPath}?${new URLSearchParams(given)}`
}

/** The pages of keys. */
export const keyPages = (catalogue: Catalogue.Any): ReadonlyArray<Page> => {
  const { keysCreate, keysRotate, keysRevoke } = verbsOf(catalogue)

  const made = (verb: string, { key, id }: { readonly key: string; readonly id: string }): View => ({
    title: verb,
    body: (
      <>
        <Secret text={key}>Save this key now. Only its hash is stored, and no page shows it again.</Secret>
        <p>
          <a href={`/dashboard/keys/${id}`}>To the key</a> · <a href="/dashboard/keys">All keys</a> ·{" "}
          <a href="/docs">Reference</a>
        </p>
      </>
    ),
  })

  const keys = ofAccount({
    path: listPath,
    label: "Keys",
    view: (visit) =>
      Effect.gen(function* () {
        const { keyPage } = yield* Accounts
        const { account, query } = visit
        const text = (query.get("q") ?? "").trim().slice(0, 64)
        const isOpen = query.get("state") !== "ended"
        const before = query.get("before") ?? undefined
        const own = yield* keyPage(account.id, { text, open: isOpen, limit: most + 1, ...ifDefined("before", before) })
        const ended =
          isOpen && before === undefined ? yield* keyPage(account.id, { text, open: false, limit: fewEnded + 1 }) : []
        const shown = own.slice(0, most)
        const state = isOpen ? undefined : "ended"
        const lists = { agents: yield* agentsOf(account.id), visit }
        const isAny = text !== "" || own.length + ended.length > 10 || before !== undefined
        return {
          title: isOpen ? "Keys" : "Ended keys",
          body: (
            <>
              {isAllowed(keysCreate, visit.actor) && (
                <p>
                  <a class="button" href="/dashboard/keys/new">
                    New key
                  </a>
                </p>
              )}
              {isAny && (
                <Find
                  text={text}
                  label="Find by the last characters, id, name, kind or agent"
                  {...ifDefined("state", state)}
                />
              )}
              <Changed href={addressOf({ q: text, state, before })} />
              {shown.length === 0 ? (
                <p>
                  {text !== ""
                    ? `No ${isOpen ? "active" : "ended"} key has this text.`
                    : before !== undefined
                      ? "No older key."
                      : isOpen
                        ? "No key is active. Test keys are free: make one to try a call."
                        : "No key has ended."}
                </p>
              ) : (
                <List
                  caption={isOpen ? "Active keys, newest first" : "Ended keys, newest first"}
                  keys={shown}
                  {...lists}
                />
              )}
              <p class="actions">
                {before !== undefined && <a href={addressOf({ q: text, state })}>Newest keys</a>}
                {own.length > most && <a href={addressOf({ q: text, state, before: shown.at(-1)!.id })}>Older keys</a>}
                {!isOpen && <a href={addressOf({ q: text })}>Active keys</a>}
              </p>
              {ended.length > 0 && (
                <details>
                  <summary>Ended keys</summary>
                  <List caption="Ended keys, newest first" keys={ended.slice(0, fewEnded)} {...lists} />
                  {ended.length > fewEnded && (
                    <p>
                      <a href={addressOf({ q: text, state: "ended" })}>All ended keys</a>
                    </p>
                  )}
                </details>
              )}
            </>
          ),
        }
      }),
  })

  const create = ofAccount({
    path: "/dashboard/keys/new",
    view: (visit) =>
      Effect.succeed({
        title: "New key",
        body: (
          <>
            <p>
              A test key is free and answered from generated data. A live key is charged to the wallet. The key has{" "}
              {visit.account.perMinute} calls a minute ({visit.account.tier}).
            </p>
            <Form visit={visit} action="create" button="Make the key">
              <Fields
                visit={visit}
                action="create"
                verb={keysCreate}
                values={{ environment: "test", agent: visit.query.get("agent") ?? undefined }}
              />
            </Form>
          </>
        ),
      }),
    actions: {
      create: runs(
        keysCreate,
        () => ({}),
        (key) => made("Your new key", key),
      ),
    },
  })

  const one = ofAccount({
    path: "/dashboard/keys/:key",
    view: (visit) =>
      Effect.gen(function* () {
        const agents = yield* agentsOf(visit.account.id)
        const [key] = yield* (yield* Accounts).keysNamed(visit.account.id, [visit.params["key"] ?? ""])
        if (key === undefined) return yield* fail("not_found", { detail: "The account has no such key." })
        const { isOpen } = values.stateOf(key, visit.now)
        const agent = agents.get(key.agentId ?? "")
        const mayChange = isOpen && isAllowed(keysRotate, visit.actor)
        return {
          title: `Key ${shownAs(key)}`,
          body: (
            <>
              <Changed href={pathOf(key)} />
              <dl class="facts">
                <dt>Id</dt>
                <dd>
                  <code>{key.id}</code>
                </dd>
                <dt>Kind</dt>
                <dd>
                  <Environment name={key.environment} />
                </dd>
                <dt>State</dt>
                <dd>
                  <LiveState is={values.keyState(key, visit.now)} />
                </dd>
                <dt>Agent</dt>
                <dd>{agent === undefined ? "none" : <a href={`/dashboard/agents/${agent.id}`}>{agent.name}</a>}</dd>
                <dt>Lanes</dt>
                <dd>{key.scopes?.join(", ") ?? "all"}</dd>
                <dt>Limit</dt>
                <dd>
                  {key.perMinute} calls a minute ({key.tier})
                </dd>
                <dt>Made</dt>
                <dd>
                  <Time at={key.createdAt} />
                </dd>
                <dt>Last used</dt>
                <dd>
                  <Used of={key} />
                </dd>
                <dt>Ends</dt>
                <dd>{Store.endOf(key) === undefined ? "never" : <Time at={Store.endOf(key)} />}</dd>
              </dl>
              <p>
                <a href={`/dashboard/calls?key=${key.id}`}>Calls of this key</a>
              </p>
              {mayChange && (
                <>
                  <h2>Rotate</h2>
                  <p>Makes a key with the same rights. Both work until the overlap ends.</p>
                  <Form visit={visit} action="rotate" button="Rotate the key">
                    <Fields visit={visit} action="rotate" verb={keysRotate} values={{ overlap_seconds: "86400" }} />
                  </Form>
                  <h2>Revoke</h2>
                  <p>
                    Calls with this key answer 401 within a second, for good.{" "}
                    {key.lastUsedAt === undefined ? "It was never used." : "Programs that use it stop."}
                  </p>
                  <Form visit={visit} action="revoke" button={`Revoke the key ${shownAs(key)}`} isDanger>
                    <Confirm label="Last four characters of the key" most={4} />
                  </Form>
                </>
              )}
            </>
          ),
        }
      }),
    actions: {
      rotate: runs(
        keysRotate,
        ({ params }) => ({ key: params["key"] }),
        (key) => made("The new key", key),
      ),
      revoke: confirmed(
        ({ params }) =>
          Effect.flatMap(Accounts, ({ key }) => Effect.map(key(params["key"]!), ({ lastFour }) => lastFour)),
        runs(
          keysRevoke,
          ({ params }) => ({ key: params["key"] }),
          ({ id }) => ({ to: `/dashboard/keys/${id}` }),
        ),
      ),
    },
  })

  return [keys, create, one]
}
