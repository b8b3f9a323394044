/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { type KeyRecord, keyEndsAt, playground } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { environments } from "../../../../core/account/ApiKey.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { notFound } from "../../../../core/Failure.ts"
import { ifDefined } from "../../../../core/ifDefined.ts"
import { manageScope } from "../../../../core/rights/Rights.ts"
import { capitalize, count } from "../../../../core/text.ts"
import { day, isDay, iso } from "../../../../core/time.ts"
import * as AdminOperation from "../../../admin/AdminOperation.ts"
import type { Field } from "../../../admin/fields.ts"
import { verbs as verbsOf } from "../../../admin/verbs.ts"
import { isOpen } from "../../condition/ofAccount.ts"
import { dayText } from "../../view/dates.ts"
import { endOfDay } from "../../view/filters.tsx"
import { Facts, List, type ListColumn, numeric } from "../../view/parts.tsx"
import { requireConfirmation, toAction } from "../actions.ts"
import { Form, VerbForm } from "../Form.tsx"
import { createPage, listPage } from "../listing.tsx"
import { Changed, Live, LiveState } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { agentFields, keyName, type Names, namesIn } from "../names.ts"
import { type AccountVisit, ofAccount, type Page, type Visit } from "../Page.ts"
import { agentLink, Confirm, Environment, Time } from "../parts.tsx"
import { newKey } from "./connect.tsx"

const listPath = "/dashboard/keys"

const pathOf = ({ id }: Pick<KeyRecord, "id">): string => `${listPath}/${id}`

const keyUse = (key: KeyRecord) => <Live is={values.keyUse(key)} as={key.lastUsedAt === undefined ? "span" : "time"} />

const keyColumns = (names: Names, now: number): ReadonlyArray<ListColumn<KeyRecord>> => [
  ["Name", (key) => <a href={pathOf(key)}>{keyName(key)}</a>],
  ["Kind", ({ environment }) => <Environment name={environment} />],
  ["State", (key) => <LiveState is={values.keyState(key, now)} />],
  ["Agent", ({ agentId }) => (agentId === undefined ? "none" : (names.agents.get(agentId) ?? agentId))],
  ["Last used", keyUse],
  [numeric("Calls a minute"), ({ perMinute }) => count(perMinute)],
  ["Expires", (key) => (keyEndsAt(key) === undefined ? "never" : <Time at={keyEndsAt(key)} />)],
]

/** Internal keys that the page shows. */
const internalShown = 10

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
    return key ?? (yield* notFound("The account has no such key."))
  })

/** The list of keys; internal ones are folded below it. */
const list = (create: AdminOperation.Any) =>
  listPage<KeyRecord>({
    path: listPath,
    noun: "key",
    ended: "expired or revoked",
    titles: ["Keys", "Expired and revoked keys", "All of them"],
    find: "Find by name, last characters, id, kind or agent",
    empty: ["No key is active. Test keys are free: create one to try a call.", "No key has expired or was revoked."],
    create,
    idOf: ({ id }) => id,
    read: (accountId, part) =>
      Effect.flatMap(Accounts, ({ keyPage }) => keyPage(accountId, { ...part, internal: false })),
    render: ({ account, now }, keys, isFirst) =>
      Effect.gen(function* () {
        const { keyPage } = yield* Accounts
        const internal = isFirst ? yield* keyPage(account.id, { internal: true, open: true, limit: internalShown }) : []
        const columns = keyColumns(yield* readAgentNames(account.id, [...keys, ...internal]), now)
        const captioned = (rows: ReadonlyArray<KeyRecord>, what: string) => (
          <List caption={`${what}, newest first`} columns={columns} rows={rows} />
        )
        return {
          list: (rows, isOpen) => captioned(rows, isOpen ? "Active keys" : "Expired and revoked keys"),
          ended: (rows) => captioned(rows, "Expired and revoked keys"),
          below: internal.length > 0 && (
            <details>
              <summary>Keys of alerts and of the playground</summary>
              <p>
                An alert calls with a key of its own until it is deleted. A key of the playground works for half an hour
                at most, with the cap of the agent {playground.name}.
              </p>
              {captioned(internal, "Internal keys")}
            </details>
          ),
        }
      }),
  })

/** Lives of a key that its form offers, in days. */
const lives = new Map([
  ["30 days", 30],
  ["90 days", 90],
  ["1 year", 365],
])
const onDay = "On a day"

const expiryFields: ReadonlyArray<Field> = [
  {
    ...{ name: "expires", label: "Expires", help: "", isOptional: false },
    kind: { _tag: "Choice", values: ["Never", ...lives.keys(), onDay] },
  },
  // Has the name of the verb's parameter, so that its errors are shown here.
  {
    ...{ name: "expires_at", label: "Last day (UTC)", help: "", isOptional: true },
    kind: { _tag: "Day" },
  },
]

/** When a key of the form expires; undefined: never. */
const expiryIn = (values: URLSearchParams, now: number): string | undefined => {
  const [chosen = "", last = ""] = [values.get("expires") ?? "", values.get("expires_at")?.trim()]
  const days = lives.get(chosen)
  if (days !== undefined) return iso(now + days * day)
  if (chosen !== onDay) return undefined
  return isDay(last) ? iso(endOfDay(Date.parse(last))) : last
}

const [allLanes, theseLanes] = ["All lanes", "Only these"]

const environmentField: Field = {
  ...{ name: "environment", label: "Kind", help: "", isOptional: false },
  kind: {
    ...{ _tag: "Choice", values: environments, names: { test: "Test", live: "Live" } },
    meanings: { test: "Free, sample data.", live: "Charged, this server's data." },
  },
}

/** The fields for a key's rights, which the verb takes as one list of lanes and `manage`. */
const scopeFields = (lanes: ReadonlyArray<string>): ReadonlyArray<Field> => [
  {
    ...{ name: "lanes", label: "Lanes", help: "", isOptional: false },
    kind: { _tag: "Choice", values: [allLanes, theseLanes] },
  },
  { ...{ name: "scopes", label: theseLanes, help: "", isOptional: true }, kind: { _tag: "Choices", values: lanes } },
  {
    ...{ name: manageScope, label: "Can manage alerts and webhooks", help: "" },
    ...{ isOptional: true, kind: { _tag: "Flag" } },
  },
]

/** The scopes of the form; undefined: all lanes. Lanes that are chosen count, unless all are. */
const scopesIn = (values: URLSearchParams, lanes: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const some = values.getAll("scopes")
  const isAll = values.get("lanes") !== theseLanes && (values.get("lanes") === allLanes || some.length === 0)
  return values.get(manageScope) === "true" ? [...(isAll ? lanes : some), manageScope] : isAll ? undefined : some
}

/** What the key of the form can do: lines with `data-if` are shown while the form has that value (`browser/forms.js`). */
const CanDo = ({
  lanes,
  visit: { account, now },
}: {
  readonly lanes: ReadonlyArray<string>
  readonly visit: AccountVisit
}) => (
  <>
    <h2>What the key can do</h2>
    <ul>
      {Object.entries({
        "environment=test": "Call for free, with sample data.",
        "environment=live": "Call for this server's data, charged to the balance.",
        [`lanes=${allLanes}`]: "Read all lanes.",
        [`lanes=${theseLanes}`]: [
          "Read the lanes chosen",
          ...lanes.map((lane) => (
            <span key={lane} data-if={`scopes=${lane}`}>
              {" "}
              · {lane}
            </span>
          )),
        ],
        [`${manageScope}=true`]: "Make and delete alerts and webhooks.",
        "expires=Never": "Work until you revoke it, which takes a second.",
        ...Object.fromEntries(
          [...lives].map(([life, days]) => [`expires=${life}`, `Work until ${dayText(now + days * day)}.`]),
        ),
        [`expires=${onDay}`]: "Work to the end of the day that you choose.",
      }).map(([value, says]) => (
        <li key={value} data-if={value}>
          {says}
        </li>
      ))}
      <li>
        Make {count(account.perMinute)} calls a minute ({capitalize(account.tier)}).
      </li>
    </ul>
    <p class="soft">It is shown once: copy it when it is created.</p>
  </>
)

const newPage = (catalogue: Catalogue.Any) => {
  const lanes = catalogue.lanes.map(({ name }) => name)
  return createPage(
    listPath,
    "key",
    verbsOf(catalogue).keysCreate,
    (visit) =>
      Effect.map(agentFields(visit.account.id), (agents) => ({
        aside: <CanDo lanes={lanes} visit={visit} />,
        values: { environment: "test", agent: visit.query.get("agent") ?? undefined },
        omitted: ["environment", "agent", "expires_at", "scopes"],
        more: [environmentField, ...scopeFields(lanes), ...agents, ...expiryFields],
      })),
    newKey(catalogue, "Your new key"),
    ({ now }, values) => ({
      ...ifDefined("expires_at", expiryIn(values, now)),
      scopes: scopesIn(values, lanes),
    }),
  )
}

export const keyPages = (catalogue: Catalogue.Any): ReadonlyArray<Page> => {
  const { keysCreate, keysRotate, keysRevoke } = verbsOf(catalogue)

  const one = ofAccount({
    path: `${listPath}/:key`,
    about: readKey,
    view: (visit) =>
      Effect.gen(function* () {
        const key = yield* readKey(visit)
        const names = yield* readAgentNames(visit.account.id, [key])
        const mayChange = isOpen(key, visit.now) && AdminOperation.isAllowed(keysRotate, visit.actor)
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
                  Agent: agentLink(key.agentId, names),
                  Lanes: key.scopes?.join(", ") ?? "all",
                  "Rate limit": `${count(key.perMinute)} calls a minute (${capitalize(key.tier)})`,
                  Created: <Time at={key.createdAt} />,
                  "Last used": keyUse(key),
                  Expires: keyEndsAt(key) === undefined ? "never" : <Time at={keyEndsAt(key)} />,
                }}
              />
              <p>
                <a href={`/dashboard/calls?key=${key.id}`}>Calls of this key</a>
              </p>
              {mayChange && (
                <>
                  <h2>Rotate</h2>
                  <p>Creates a key with the same rights. The old key works until the overlap ends.</p>
                  <VerbForm
                    visit={visit}
                    action="rotate"
                    button="Rotate key"
                    verb={keysRotate}
                    values={{ overlap_seconds: "86400" }}
                  />
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
      rotate: toAction(keysRotate, newKey(catalogue, "The new key")),
      revoke: requireConfirmation(
        (visit) => Effect.map(readKey(visit), ({ lastFour }) => lastFour),
        toAction(keysRevoke, ({ id }) => ({ to: `${listPath}/${id}` })),
      ),
    },
  })

  return [list(keysCreate), newPage(catalogue), one]
}
