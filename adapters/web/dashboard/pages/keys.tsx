/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import { endOf, type KeyRecord, playground as keysOf } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { ifDefined } from "../../../../core/endpoint/Field.ts"
import { fail } from "../../../../core/Failure.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { verbs as verbsOf } from "../../../admin/verbs.ts"
import { isOpen } from "../../../server/http/condition/ofAccount.ts"
import { Facts, numeric, Table } from "../../view/parts.tsx"
import { confirmed, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import { listAddress, Pager, shownBy, stateOf } from "../listing.tsx"
import { Changed, Live, LiveState } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { keyName, type Names, namesIn } from "../names.ts"
import { ofAccount, type Page, type View, type Visit } from "../Page.ts"
import { Confirm, Environment, Find, Secret, Time } from "../parts.tsx"

const listPath = "/dashboard/keys"

const pathOf = ({ id }: Pick<KeyRecord, "id">): string => `${listPath}/${id}`

const Used = ({ of }: { readonly of: KeyRecord }) => (
  <Live is={values.keyUse(of)} as={of.lastUsedAt === undefined ? "span" : "time"} />
)

const List = ({
  keys,
  names,
  visit,
  caption,
}: {
  readonly keys: ReadonlyArray<KeyRecord>
  readonly names: Names
  readonly visit: Visit
  readonly caption: string
}) => (
  <Table
    caption={caption}
    columns={["Key", "Kind", "State", "Agent", numeric("Rate limit"), "Last used", "Expires"]}
    rows={keys.map((key) => [
      <a key="key" href={pathOf(key)}>
        {keyName(key)}
      </a>,
      <Environment key="kind" name={key.environment} />,
      <LiveState key="state" is={values.keyState(key, visit.now)} />,
      key.agentId === undefined ? "none" : (names.agents.get(key.agentId) ?? key.agentId),
      `${key.perMinute}/min`,
      <Used key="used" of={key} />,
      endOf(key) === undefined ? "never" : <Time key="expires" at={endOf(key)} />,
    ])}
  />
)

/** Keys of a page, and ended ones below the open ones. */
const pageSize = 50
const endedShown = 10

/** The agents that keys are of, by name. */
const readAgentNames = (accountId: string, keys: ReadonlyArray<KeyRecord>) =>
  namesIn(
    accountId,
    keys.map(({ agentId }) => ({ agentId })),
  )

/** The key of a page's path, if the account has it. */
const readKey = (visit: Visit) =>
  Effect.gen(function* () {
    const [key] = yield* (yield* Accounts).keysNamed(visit.account!.id, [visit.params["key"] ?? ""])
    return key ?? (yield* fail("not_found", { detail: "The account has no such key." }))
  })

const itself = ({ params }: Visit) => ({ key: params["key"] })

/** The pages of keys. */
export const keyPages = (catalogue: Catalogue.Any): ReadonlyArray<Page> => {
  const { keysCreate, keysRotate, keysRevoke } = verbsOf(catalogue)

  const made = (verb: string, { key, id }: { readonly key: string; readonly id: string }): View => ({
    title: verb,
    body: (
      <>
        <Secret text={key}>Save this key now. Only its hash is stored, and no page shows it again.</Secret>
        <p>
          <a href={`/dashboard/keys/${id}`}>View key</a> · <a href="/dashboard/keys">All keys</a> ·{" "}
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
        const { account } = visit
        const at = shownBy(visit.query)
        const { text, isOpen, before } = at
        const of = { text, playground: false }
        const own = yield* keyPage(account.id, {
          ...of,
          open: isOpen,
          limit: pageSize + 1,
          ...ifDefined("before", before),
        })
        const isFirst = isOpen && before === undefined
        const ended = isFirst ? yield* keyPage(account.id, { ...of, open: false, limit: endedShown + 1 }) : []
        const tried = isFirst ? yield* keyPage(account.id, { playground: true, open: true, limit: endedShown }) : []
        const shown = own.slice(0, pageSize)
        const lists = { names: yield* readAgentNames(account.id, [...shown, ...ended, ...tried]), visit }
        const isAny = text !== "" || own.length + ended.length > 10 || before !== undefined
        return {
          title: isOpen ? "Keys" : "Expired and revoked keys",
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
                  label="Find by name, last characters, id, kind or agent"
                  {...ifDefined("state", stateOf(at))}
                />
              )}
              <Changed href={listAddress(listPath, at)} />
              {shown.length === 0 ? (
                <p>
                  {text !== ""
                    ? `No ${isOpen ? "active" : "expired or revoked"} keys match your search.`
                    : before !== undefined
                      ? "No older key."
                      : isOpen
                        ? "No key is active. Test keys are free: create one to try a call."
                        : "No key has expired or was revoked."}
                </p>
              ) : (
                <List
                  caption={isOpen ? "Active keys, newest first" : "Expired and revoked keys, newest first"}
                  keys={shown}
                  {...lists}
                />
              )}
              <Pager
                path={listPath}
                shown={at}
                what="keys"
                last={own.length > pageSize ? shown.at(-1)!.id : undefined}
              />
              {ended.length > 0 && (
                <details>
                  <summary>Expired and revoked keys</summary>
                  <List caption="Expired and revoked keys, newest first" keys={ended.slice(0, endedShown)} {...lists} />
                  {ended.length > endedShown && (
                    <p>
                      <a href={listAddress(listPath, { text, isOpen: false })}>All of them</a>
                    </p>
                  )}
                </details>
              )}
              {tried.length > 0 && (
                <details>
                  <summary>Keys of the playground</summary>
                  <p>Each works for half an hour at most, with the cap of the agent {keysOf.name}.</p>
                  <List caption="Keys of the playground, newest first" keys={tried} {...lists} />
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
            <Form visit={visit} action="create" button="Create key">
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
      create: runs(keysCreate, (key) => made("Your new key", key)),
    },
  })

  const one = ofAccount({
    path: `${listPath}/:key`,
    about: readKey,
    view: (visit) =>
      Effect.gen(function* () {
        const key = yield* readKey(visit)
        const { agents } = yield* readAgentNames(visit.account.id, [key])
        const mayChange = isOpen(key, visit.now) && isAllowed(keysRotate, visit.actor)
        return {
          title: `Key ${keyName(key)}`,
          body: (
            <>
              <Changed href={pathOf(key)} />
              <Facts
                of={{
                  Id: <code>{key.id}</code>,
                  Kind: <Environment name={key.environment} />,
                  State: <LiveState is={values.keyState(key, visit.now)} />,
                  Agent:
                    key.agentId === undefined ? (
                      "none"
                    ) : (
                      <a href={`/dashboard/agents/${key.agentId}`}>{agents.get(key.agentId) ?? key.agentId}</a>
                    ),
                  Lanes: key.scopes?.join(", ") ?? "all",
                  "Rate limit": `${key.perMinute} calls a minute (${key.tier})`,
                  Created: <Time at={key.createdAt} />,
                  "Last used": <Used of={key} />,
                  Expires: endOf(key) === undefined ? "never" : <Time at={endOf(key)} />,
                }}
              />
              <p>
                <a href={`/dashboard/calls?key=${key.id}`}>Calls of this key</a>
              </p>
              {mayChange && (
                <>
                  <h2>Rotate</h2>
                  <p>Creates a key with the same rights. The old key works until the overlap ends.</p>
                  <Form visit={visit} action="rotate" button="Rotate key">
                    <Fields visit={visit} action="rotate" verb={keysRotate} values={{ overlap_seconds: "86400" }} />
                  </Form>
                  <h2>Revoke</h2>
                  <p>
                    The key stops working within a second. This cannot be undone.{" "}
                    {key.lastUsedAt === undefined ? "It was never used." : "Programs that use it stop."}
                  </p>
                  <Form visit={visit} action="revoke" button={`Revoke ${keyName(key)}`} isDanger>
                    <Confirm label="Last four characters of the key" most={4} />
                  </Form>
                </>
              )}
            </>
          ),
        }
      }),
    actions: {
      rotate: runs(keysRotate, (key) => made("The new key", key), itself),
      revoke: confirmed(
        (visit) => Effect.map(readKey(visit), ({ lastFour }) => lastFour),
        runs(keysRevoke, ({ id }) => ({ to: `${listPath}/${id}` }), itself),
      ),
    },
  })

  return [keys, create, one]
}
