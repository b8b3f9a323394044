/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { usd } from "../../../../core/account/Money.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import { count } from "../../../../core/text.ts"
import * as AdminOperation from "../../../admin/AdminOperation.ts"
import { verbs as verbsOf } from "../../../admin/verbs.ts"
import * as conditions from "../../condition/ofAccount.ts"
import { dayText } from "../../view/dates.ts"
import { Facts, State } from "../../view/parts.tsx"
import { performAs } from "../actions.ts"
import { inPages } from "../downloads.ts"
import { type AccountVisit, type Download, ofAccount, type Page, type Services } from "../Page.ts"
import { Contact } from "../parts.tsx"

const path = "/dashboard/account"

/** The lists of the file after the account itself, in order: the kind of a line, and the verb that reads them by pages. */
const lists = (
  verbs: ReturnType<typeof verbsOf>,
): ReadonlyArray<readonly [kind: string, verb: AdminOperation.Any, field: string]> => [
  ["person", verbs.peopleList, "people"],
  ["key", verbs.keysList, "keys"],
  ["agent", verbs.agentsList, "agents"],
  ["alert", verbs.alertsList, "alerts"],
  ["webhook", verbs.webhooksList, "webhooks"],
  ["change", verbs.changesList, "changes"],
]

/** Everything but calls and the journal, which have files of their own: a line of JSON each. */
const exported = (verbs: ReturnType<typeof verbsOf>): Download => {
  const all = lists(verbs)
  interface Place {
    readonly at: number
    readonly cursor?: string
  }
  const lines = (kind: string, rows: ReadonlyArray<object>): string =>
    rows.map((row) => `${JSON.stringify({ kind, ...row })}\n`).join("")
  const read = (visit: AccountVisit, { at, ...page }: Place) => {
    const [kind, verb, field] = all[at]!
    return Effect.map(performAs(visit, verb, page), (list: unknown) => {
      const { [field]: rows, next } = list as Readonly<Record<string, Array<object>>> & { readonly next?: string }
      return {
        text: (at === 0 && page.cursor === undefined ? lines("account", [visit.account]) : "") + lines(kind, rows!),
        next: next !== undefined ? { at, cursor: next } : at + 1 < all.length ? { at: at + 1 } : undefined,
      }
    })
  }
  return {
    type: "application/x-ndjson; charset=utf-8",
    fileName: "account.ndjson",
    open: (visit) =>
      Effect.flatMap(Effect.context<Services>(), (context) =>
        inPages((place: Place = { at: 0 }) => Effect.provide(read(visit, place), context)),
      ),
  }
}

const files = [
  [`${path}.ndjson`, "Account, people, keys, agents, alerts, webhooks and changes (NDJSON)"],
  ["/dashboard/calls.csv", "Calls (CSV)"],
  ["/dashboard/wallet.csv", "Credits and charges (CSV)"],
] as const

export const accountSettings = (catalogue: Catalogue.Any, contact: string | undefined): Page => {
  const verbs = verbsOf(catalogue)
  return ofAccount({
    path,
    label: "Account",
    view: ({ account, actor, session }) =>
      Effect.gen(function* () {
        const { balance } = yield* (yield* Accounts).balance(account.id)
        const { email } = session.person
        const body = (
          <>
            <Facts
              of={{
                Name: account.name,
                Id: <code class="id">{account.id}</code>,
                State: <State is={conditions.account(account)} />,
                Tier: `${account.tier}: ${count(account.perMinute)} calls a minute with each key`,
                "Your e-mail": email !== undefined && (
                  <>
                    {email} · <a href="/dashboard/webhooks">What is sent to it</a>
                  </>
                ),
                People: <a href="/dashboard/people">Who has access</a>,
                Created: dayText(account.createdAt),
              }}
            />
            {contact !== undefined && (
              <p class="soft">
                To change name or tier, ask <Contact contact={contact} />.
              </p>
            )}
            <h2>Your data</h2>
            <ul>
              {files.map(([href, label]) => (
                <li key={href}>
                  <a href={href} download>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
            <p class="soft">Secrets of keys and webhooks are in no file.</p>
            {contact !== undefined && AdminOperation.isAllowed(verbs.peopleInvite, actor) && (
              <>
                <h2>Close the account</h2>
                <p>
                  Ask <Contact contact={contact} />, give the id above, and say where to refund the balance of{" "}
                  <strong>{usd(balance)}</strong>. Until then <a href="/dashboard/keys">revoke its keys</a>, so that
                  nothing more is charged. Charges and signals on the public record stay: neither can be erased.
                </p>
              </>
            )}
          </>
        )
        return { title: "Account", body }
      }),
    downloads: { ".ndjson": exported(verbs) },
  })
}
