/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Account, KeyRecord } from "../../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { usd } from "../../../../../core/account/Money.ts"
import type * as Catalogue from "../../../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../../../core/endpoint/Endpoint.ts"
import { meanings, types } from "../../../../../core/events/Event.ts"
import { notFound } from "../../../../../core/Failure.ts"
import { People } from "../../../../../core/people/People.ts"
import { count, plural } from "../../../../../core/text.ts"
import type * as AdminOperation from "../../../../admin/AdminOperation.ts"
import { accountVerbs } from "../../../../admin/accountVerbs.ts"
import { verbs as verbsOf } from "../../../../admin/verbs.ts"
import * as conditions from "../../../condition/ofAccount.ts"
import { Facts, List, numeric, State } from "../../../view/parts.tsx"
import { Attention, lines } from "../../Attention.tsx"
import { runLogged, toAction } from "../../actions.ts"
import { Form, VerbForm } from "../../Form.tsx"
import { keyName } from "../../names.ts"
import type { Action, Page, View, Visit } from "../../Page.ts"
import { Environment, Secret, Time } from "../../parts.tsx"
import { FirstStep, type Given, givenBy, SecondStep, stepTo } from "../../TwoSteps.tsx"
import { readStops, urgentOfAccount } from "../../urgent.ts"
import { accountPath, root } from "./paths.ts"

/** Verbs that have a form of two steps, or a button, on the page itself; and one that leads its payer to another page. */
const elsewhere = new Set(["wallet_credit", "wallet_reverse", "accounts_suspend", "accounts_resume", "orders_begin"])

/** The other verbs that change something of an account and are named nothing else in their path. */
const listMoreVerbs = (catalogue: Catalogue.Any): ReadonlyArray<AdminOperation.Any> =>
  Object.values(verbsOf(catalogue) as Readonly<Record<string, AdminOperation.Any>>).filter(
    (verb) =>
      !elsewhere.has(verb.id) &&
      Endpoint.methodOf(verb) !== "GET" &&
      [...Endpoint.pathParamNames(verb)].join() === "account",
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

/** The page after a verb: its answer. */
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
const moreActions = (catalogue: Catalogue.Any): Readonly<Record<string, Action>> =>
  Object.fromEntries(listMoreVerbs(catalogue).map((verb) => [verb.id, toAction(verb, answered(verb))]))

/** Their forms, folded. */
const MoreVerbs = ({
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
          choices={{ events: meanings }}
        />
      </details>
    ))}
  </section>
)

const { accountsResume, accountsSuspend, walletCredit, walletReverse } = accountVerbs

/** Keys, and postings of which the credits are listed. */
const keysShown = 20
const postingsRead = 200

/** The account of the page's path, by its id. */
const readAccount = ({ params }: Visit) =>
  Effect.gen(function* () {
    const id = params["account"] ?? ""
    const readAll = yield* (yield* Accounts).get(id)
    return readAll.id === id ? readAll : yield* notFound("No account has this id.")
  })

const toAccount = (_: unknown, { params }: Visit) => ({ to: accountPath(params["account"] ?? "") })

/** Switches the session to an account. Its owners see in their log that an operator looked. */
const show: Action = {
  run: (visit) =>
    Effect.gen(function* () {
      const { id } = yield* readAccount(visit)
      const people = yield* People
      yield* runLogged(
        visit,
        { verb: "account_look", subject: id, accountId: id },
        people.showAccount(visit.session, id),
      )
      return { to: "/dashboard" }
    }),
}

const readPage = (visit: Visit) =>
  Effect.gen(function* () {
    const account = yield* readAccount(visit)
    const accounts = yield* Accounts
    const { id } = account
    const { balance } = yield* accounts.balance(id)
    const { open } = yield* accounts.keySummary(id)
    const keys = yield* accounts.keyPage(id, { internal: false, limit: keysShown })
    const postings = yield* accounts.journal(id, postingsRead)
    const urgent = yield* urgentOfAccount(id, visit.now, yield* readStops(id), lines)
    return {
      account,
      balance,
      open,
      keys,
      credits: postings.filter(({ kind }) => kind === "credit"),
      // Where the account's people mend it is no page of an operator.
      urgent: urgent.map(({ name, condition: { next: _, ...condition } }) => ({ name, condition })),
      credit: yield* givenBy(visit, "credit", walletCredit, { account: id }),
      reverse: yield* givenBy(visit, "reverse", walletReverse, { account: id }),
      suspend: yield* givenBy(visit, "suspend", accountsSuspend, { account: id }),
    }
  })

type AccountData = Effect.Effect.Success<ReturnType<typeof readPage>>
type Part = AccountData & { readonly visit: Visit; readonly path: string }

/** What has been chosen in the first step of an action. */
const chosen = <A,>(given: Given<A> | undefined): A | undefined =>
  given === undefined ? undefined : Either.getOrUndefined(given)

/** The second step of the action in the page's address. */
const Step = (of: Part) => {
  const { visit, path, account, balance, open } = of
  const [credit, reverse] = [chosen(of.credit), chosen(of.reverse)]
  if (credit !== undefined) {
    const amount = usd(credit.micros)
    return (
      <SecondStep visit={visit} action="credit" button={`Credit ${amount}`} path={path}>
        Credit {account.name} {amount}, new balance {usd(balance + credit.micros)}
      </SecondStep>
    )
  }
  if (reverse !== undefined) {
    const { credit: id, micros } = reverse
    return (
      <SecondStep visit={visit} action="reverse" button="Take it back" isDanger path={path}>
        Take back {micros === undefined ? "all that is left" : `at most ${usd(micros)}`} of {account.name}'s credit {id}
        , balance {usd(balance)},{" "}
        {micros === undefined ? "as far as it goes" : `new balance ${usd(Math.max(0, balance - micros))} or more`}
      </SecondStep>
    )
  }
  if (chosen(of.suspend) !== undefined && account.suspendedAt === undefined) {
    const keys = open.isMore ? `more than ${open.count} keys` : plural(open.count, "key")
    return (
      <SecondStep visit={visit} action="suspend" button={`Suspend ${account.name}`} isDanger path={path}>
        Suspend {account.name}: calls of its {keys} answer 403 within a second. Its balance of {usd(balance)} stays, its
        people still sign in, and resuming restores it at once
      </SecondStep>
    )
  }
  return null
}

const Suspension = ({ account, visit, path }: Pick<Part, "account" | "visit" | "path">) =>
  account.suspendedAt === undefined ? (
    <p>
      <a class="button danger" href={stepTo(path, "suspend")}>
        Suspend {account.name}
      </a>
    </p>
  ) : (
    <Form visit={visit} action="resume" button={`Resume ${account.name}`} />
  )

const Credits = ({ credits, path }: Pick<Part, "credits" | "path">) => (
  <List
    caption={`Credits among the newest ${postingsRead} postings`}
    rows={credits}
    empty={`No credit among the newest ${postingsRead} postings.`}
    columns={[
      ["Time", ({ at }) => <Time at={at} />],
      [numeric("Amount"), ({ micros }) => usd(micros)],
      [
        "Credit",
        ({ id, provider }) => (
          <>
            <small class="id">{id}</small> {provider}
          </>
        ),
      ],
      [
        "Take back",
        ({ id, micros }) => (
          <a href={stepTo(path, "reverse", { credit: id, micros: String(micros / 1e6) })}>
            Take back<span class="unseen"> {id}</span>
          </a>
        ),
      ],
    ]}
  />
)

const revokeForm = (key: KeyRecord, visit: Visit) => (
  <details>
    <summary>Revoke</summary>
    <Form
      visit={visit}
      action="revoke"
      button="Revoke permanently"
      about={keyName(key)}
      given={{ key: key.id }}
      isInline
    />
  </details>
)

const Keys = ({ keys, visit }: Pick<Part, "keys" | "visit">) => (
  <List
    caption={`The newest ${keysShown} keys`}
    rows={keys}
    empty="No key yet."
    columns={[
      ["Key", keyName],
      ["Kind", ({ environment }) => <Environment name={environment} />],
      ["State", (key) => <State is={conditions.key(key, visit.now)} />],
      [numeric("Calls a minute"), ({ perMinute }) => count(perMinute)],
      ["Last used", ({ lastUsedAt }) => <Time at={lastUsedAt} />],
      ["Revoke", (key) => conditions.isOpen(key, visit.now) && revokeForm(key, visit)],
    ]}
  />
)

const factsOf = ({ account, balance }: Pick<Part, "account" | "balance">) => ({
  Id: <code>{account.id}</code>,
  State: <State is={conditions.account(account)} />,
  Balance: usd(balance),
  "Rate limit": `${account.perMinute} calls a minute (${account.tier})`,
  Created: <Time at={account.createdAt} />,
  Suspended: account.suspendedAt !== undefined && <Time at={account.suspendedAt} />,
})

const view = (of: Part, catalogue: Catalogue.Any): View => {
  const { account, visit, path, urgent } = of
  return {
    title: account.name,
    body: (
      <>
        <Step {...of} />
        {urgent.length > 0 && <Attention of={urgent} href={path} />}
        <Facts of={factsOf(of)} />
        <Form visit={visit} action="show" button={`Show the dashboard of ${account.name}`} isInline />
        <h2>Credit</h2>
        <FirstStep visit={visit} action="credit" verb={walletCredit} given={of.credit} />
        <section class="listing">
          <h2>Reverse a credit</h2>
          <Credits {...of} />
          <FirstStep visit={visit} action="reverse" verb={walletReverse} given={of.reverse} />
        </section>
        <h2>{account.suspendedAt === undefined ? "Suspend" : "Resume"}</h2>
        <Suspension {...of} />
        <section class="listing">
          <h2>Keys</h2>
          <Keys {...of} />
        </section>
        <MoreVerbs visit={visit} catalogue={catalogue} account={account} />
      </>
    ),
  }
}

/** The page of an account: how it does, and every verb that concerns it. */
export const accountPage = (catalogue: Catalogue.Any): Page => {
  const { keysRevoke } = verbsOf(catalogue)
  return {
    path: `${root}/accounts/:account`,
    audience: "operator",
    about: readAccount,
    view: (visit) =>
      Effect.map(readPage(visit), (all) => view({ ...all, visit, path: accountPath(all.account.id) }, catalogue)),
    actions: {
      ...moreActions(catalogue),
      show,
      credit: toAction(walletCredit, toAccount),
      reverse: toAction(walletReverse, toAccount),
      suspend: toAction(accountsSuspend, toAccount),
      resume: toAction(accountsResume, toAccount),
      revoke: toAction(keysRevoke, toAccount),
    },
  }
}
