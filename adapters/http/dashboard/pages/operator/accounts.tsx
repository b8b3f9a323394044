/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { Account } from "../../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { fail } from "../../../../../core/Failure.ts"
import { Installation } from "../../../../../core/operation/Installation.ts"
import { People } from "../../../../../core/people/People.ts"
import { accountVerbs } from "../../../../admin/accountVerbs.ts"
import { account as conditionOf } from "../../../condition/ofAccount.ts"
import { State } from "../../../view/State.tsx"
import { numeric, Table } from "../../../view/Table.tsx"
import { confirmed, runs } from "../../actions.ts"
import { Fields, Form } from "../../Form.tsx"
import { logged } from "../../logged.ts"
import type { Action, Page, Visit } from "../../Page.ts"
import { Confirm, Find, Time, usd } from "../../parts.tsx"
import { Parts, root } from "./frame.tsx"

const { accountsCreate, accountsResume, accountsSuspend, accountsTier, walletCredit } = accountVerbs

const toAccounts = () => ({ to: root })

/** Most accounts that the list shows at once. */
const most = 50

/** Turns the session to an account. Its owners see in their log that an operator looked. */
const show: Action = {
  run: (visit, values) =>
    Effect.gen(function* () {
      const { id } = yield* (yield* Accounts).get(values.get("account") ?? "")
      const people = yield* People
      const line = { verb: "account_look", subject: id, accountId: id }
      yield* logged(visit, line, people.show(visit.session, id))
      return { to: "/dashboard" }
    }),
}

/** Suspends or resumes the account that is shown. */
const Turn = ({ visit, account }: { readonly visit: Visit; readonly account: Account }) =>
  account.suspendedAt === undefined ? (
    <>
      <h2>Suspend {account.name}</h2>
      <p>
        Calls of all its keys answer 403 within a second, and cost nothing. Its people still sign in and read. Nothing
        is deleted, and resuming restores it at once.
      </p>
      <Form visit={visit} action="suspend" button={`Suspend ${account.name}`} isDanger>
        <Confirm label="Name of the account" />
      </Form>
    </>
  ) : (
    <>
      <h2>Resume {account.name}</h2>
      <p>
        Suspended since <Time at={account.suspendedAt} /> UTC. Resuming restores its keys at once.
      </p>
      <Form visit={visit} action="resume" button={`Resume ${account.name}`} />
    </>
  )

/** The name of the account that is shown, which a form repeats. */
const shownName = ({ account }: Visit) =>
  account === undefined ? fail("not_found", { detail: "No account is shown." }) : Effect.succeed(account.name)

/** Accounts: their credit, their tier, and whether their keys are answered. */
export const accountsPage: Page = {
  path: root,
  label: "Operator",
  audience: "operator",
  view: (visit) =>
    Effect.gen(function* () {
      const text = (visit.query.get("q") ?? "").trim().slice(0, 64)
      const found = yield* (yield* Installation).accounts(text, most + 1)
      return {
        title: "Operator",
        body: (
          <Parts at={root}>
            <Find text={text} label="Find an account" />
            <Table
              caption={text === "" ? "Accounts, newest first" : "Accounts with this text, newest first"}
              columns={["Account", "Id", numeric("Wallet"), "Tier", numeric("Calls a minute"), "Since", ""]}
              rows={found.slice(0, most).map(({ account, balance }) => [
                <>
                  {account.name} {account.suspendedAt !== undefined && <State is={conditionOf(account)} />}
                </>,
                <code key="id">{account.id}</code>,
                usd(balance),
                account.tier,
                account.perMinute,
                <Time key="since" at={account.createdAt} />,
                <Form key="show" visit={visit} action="show" button="Look at" about={account.name} isInline>
                  <input type="hidden" name="account" value={account.id} />
                </Form>,
              ])}
            />
            {found.length > most && <p class="soft">The newest {most}. Find others by their name or id.</p>}
            {found.length === 0 && <p>{text === "" ? "No account yet." : "No account has this text."}</p>}
            {visit.account !== undefined && (
              <>
                <h2>Credit {visit.account.name}</h2>
                <Form visit={visit} action="credit" button="Credit the wallet">
                  <Fields visit={visit} action="credit" verb={walletCredit} />
                </Form>
                <h2>Tier of {visit.account.name}</h2>
                <Form visit={visit} action="tier" button="Change the tier">
                  <Fields visit={visit} action="tier" verb={accountsTier} values={{ tier: visit.account.tier }} />
                </Form>
                <Turn visit={visit} account={visit.account} />
              </>
            )}
            <h2>New account</h2>
            <Form visit={visit} action="create" button="Make the account">
              <Fields visit={visit} action="create" verb={accountsCreate} />
            </Form>
          </Parts>
        ),
      }
    }),
  actions: {
    create: runs(accountsCreate, toAccounts),
    credit: runs(walletCredit, () => ({ to: "/dashboard/wallet" })),
    tier: runs(accountsTier, toAccounts),
    suspend: confirmed(shownName, runs(accountsSuspend, toAccounts)),
    resume: runs(accountsResume, toAccounts),
    show,
  },
}
