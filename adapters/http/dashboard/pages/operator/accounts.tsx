/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Installation } from "../../../../../core/operation/Installation.ts"
import { People } from "../../../../../core/people/People.ts"
import { accountVerbs } from "../../../../admin/accountVerbs.ts"
import { Table } from "../../../view/Table.tsx"
import { runs } from "../../actions.ts"
import { Fields, Form } from "../../Form.tsx"
import { logged } from "../../logged.ts"
import type { Action, Page } from "../../Page.ts"
import { Find, Time, usd } from "../../parts.tsx"
import { Parts, root } from "./frame.tsx"

const { accountsCreate, accountsTier, walletCredit } = accountVerbs

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

/** Accounts, their tier and credit. */
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
              columns={[
                { name: "Account" },
                { name: "Id" },
                { name: "Wallet", isNumber: true },
                { name: "Tier" },
                { name: "Calls a minute", isNumber: true },
                { name: "Since" },
                { name: "" },
              ]}
              rows={found.slice(0, most).map(({ account, balance }) => [
                account.name,
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
    create: runs(accountsCreate, () => ({}), toAccounts),
    credit: runs(
      walletCredit,
      () => ({}),
      () => ({ to: "/dashboard/wallet" }),
    ),
    tier: runs(accountsTier, () => ({}), toAccounts),
    show,
  },
}
