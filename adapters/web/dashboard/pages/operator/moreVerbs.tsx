/** @jsxRuntime automatic @jsxImportSource preact */
import type { Account } from "../../../../../core/account/AccountStore.ts"
import type * as Catalogue from "../../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../../core/endpoint/Endpoint.ts"
import { types } from "../../../../../core/events/Event.ts"
import type * as AdminOperation from "../../../../admin/AdminOperation.ts"
import { verbs as verbsOf } from "../../../../admin/verbs.ts"
import { Facts } from "../../../view/parts.tsx"
import { runs } from "../../actions.ts"
import { VerbForm } from "../../Form.tsx"
import type { Action, View, Visit } from "../../Page.ts"
import { Secret } from "../../parts.tsx"
import { accountPath } from "./paths.ts"

/** Verbs that have a form of two steps, or a button, on the page itself; and one that leads its payer to another page. */
const elsewhere = new Set(["wallet_credit", "wallet_reverse", "accounts_suspend", "accounts_resume", "orders_begin"])

/** The other verbs that change something of an account and are named nothing else in their path. */
const listMoreVerbs = (catalogue: Catalogue.Any): ReadonlyArray<AdminOperation.Any> =>
  Object.values(verbsOf(catalogue) as Readonly<Record<string, AdminOperation.Any>>).filter(
    (verb) =>
      !elsewhere.has(verb.id) && Endpoint.methodOf(verb) !== "GET" && [...Endpoint.inPath(verb)].join() === "account",
  )

/** What their buttons say. */
const titles: Readonly<Record<string, string>> = {
  accounts_tier: "Change tier",
  wallet_threshold: "Set threshold",
  keys_create: "Create key",
  agents_create: "Create agent",
  webhooks_create: "Create webhook",
  alerts_create: "Create alert",
  people_invite: "Create invitation",
}

/** The part of a result that no page shows again. */
const once = ["key", "secret", "path"]

const shownOnce = (result: Readonly<Record<string, unknown>>, { origin }: Visit): string | undefined => {
  const name = once.find((each) => typeof result[each] === "string")
  return name === undefined ? undefined : `${name === "path" ? origin : ""}${String(result[name])}`
}

/** What a verb answered. */
const answered =
  ({ summary }: AdminOperation.Any) =>
  (answer: unknown, visit: Visit): View => {
    const result = answer as Readonly<Record<string, unknown>>
    const secret = shownOnce(result, visit)
    return {
      title: "Done",
      body: (
        <>
          <p>{summary}.</p>
          {secret !== undefined && <Secret text={secret}>Save this now. No page shows it again.</Secret>}
          <Facts
            of={Object.fromEntries(
              Object.entries(result)
                .filter(([name]) => !once.includes(name))
                .map(([name, value]) => [
                  name.replaceAll("_", " "),
                  typeof value === "string" ? value : JSON.stringify(value),
                ]),
            )}
          />
          <p>
            <a href={accountPath(visit.params["account"] ?? "")}>Back to account</a>
          </p>
        </>
      ),
    }
  }

/** Their actions, by the verb's id. */
export const moreActions = (catalogue: Catalogue.Any): Readonly<Record<string, Action>> =>
  Object.fromEntries(listMoreVerbs(catalogue).map((verb) => [verb.id, runs(verb, answered(verb))]))

/** Their forms, folded. */
export const MoreVerbs = ({
  visit,
  catalogue,
  account,
}: {
  readonly visit: Visit
  readonly catalogue: Catalogue.Any
  readonly account: Account
}) => (
  <section>
    <h2>More</h2>
    {listMoreVerbs(catalogue).map((verb) => (
      <details key={verb.id} open={visit.sent?.action === verb.id}>
        <summary>{titles[verb.id] ?? verb.summary}</summary>
        {titles[verb.id] !== undefined && <p class="soft">{verb.summary}.</p>}
        <VerbForm
          visit={visit}
          action={verb.id}
          button={titles[verb.id] ?? verb.summary}
          about={`for ${account.name}`}
          verb={verb}
          values={{ tier: account.tier, environment: "test", events: types }}
          choices={{ events: types }}
        />
      </details>
    ))}
  </section>
)
