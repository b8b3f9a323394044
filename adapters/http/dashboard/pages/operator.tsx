/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { People } from "../../../../core/people/People.ts"
import { accountVerbs } from "../../../admin/accountVerbs.ts"
import { Table } from "../../view/Table.tsx"
import { performAs, runs } from "../actions.ts"
import { Fields, Form } from "../Form.tsx"
import type { Page } from "../Page.ts"
import { Find, Time } from "../parts.tsx"

const { accountsCreate, accountsList, accountsTier, walletCredit } = accountVerbs

const toOperator = () => ({ to: "/dashboard/operator" })

/** Most accounts that the list shows at once. */
const most = 100

/** The operator's page: accounts, their tier and credit. */
export const operatorPage: Page = {
  path: "/dashboard/operator",
  label: "Operator",
  audience: "operator",
  view: (visit) =>
    Effect.map(performAs(visit, accountsList, {}), ({ accounts }) => {
      const text = (visit.query.get("q") ?? "").toLowerCase()
      const chosen = accounts.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(text)).toReversed()
      return {
        title: "Operator",
        body: (
          <>
            <Find text={text} label="Find an account" />
            <Table
              caption={`Accounts (${Math.min(chosen.length, most)} of ${accounts.length})`}
              columns={[
                { name: "Account" },
                { name: "Id" },
                { name: "Tier" },
                { name: "Calls a minute", isNumber: true },
                { name: "Since" },
                { name: "" },
              ]}
              rows={chosen.slice(0, most).map((account) => [
                account.name,
                <code key="id">{account.id}</code>,
                account.tier,
                account.per_minute,
                <Time key="since" at={account.created_at} />,
                <Form key="show" visit={visit} action="show" button="Look at" about={account.name} isInline>
                  <input type="hidden" name="account" value={account.id} />
                </Form>,
              ])}
            />
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
          </>
        ),
      }
    }),
  actions: {
    create: runs(accountsCreate, () => ({}), toOperator),
    credit: runs(
      walletCredit,
      () => ({}),
      () => ({ to: "/dashboard/wallet" }),
    ),
    tier: runs(accountsTier, () => ({}), toOperator),
    show: {
      run: ({ session }, values) =>
        Effect.flatMap(People, ({ show }) =>
          Effect.as(show(session, values.get("account") ?? ""), { to: "/dashboard" }),
        ),
    },
  },
}
