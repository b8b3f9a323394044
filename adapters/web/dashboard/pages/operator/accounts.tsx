/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Installation, mostSearched } from "../../../../../core/operation/Installation.ts"
import { accountVerbs } from "../../../../admin/accountVerbs.ts"
import { account as conditionOf } from "../../../../server/http/condition/ofAccount.ts"
import { numeric, State, Table } from "../../../view/parts.tsx"
import { Attention } from "../../Attention.tsx"
import { runs } from "../../actions.ts"
import { Fields, Form } from "../../Form.tsx"
import { Pager, shownBy } from "../../listing.tsx"
import type { Operation } from "../../Operation.ts"
import type { Page } from "../../Page.ts"
import { Find, Time, usd } from "../../parts.tsx"
import { accountPath, Parts, root } from "./frame.tsx"
import { urgentOfInstallation } from "./urgentOfInstallation.ts"

const { accountsCreate } = accountVerbs

/** Most accounts that the list shows at once. */
const pageSize = 50

/** What needs attention, and the accounts. */
export const accountsPage = (operation: Operation): Page => ({
  path: root,
  label: "Operator",
  audience: "operator",
  view: (visit) =>
    Effect.gen(function* () {
      const shown = shownBy(visit.query)
      const { text } = shown
      const found = yield* (yield* Installation).accounts(text, pageSize + 1, shown.before)
      const listed = found.slice(0, pageSize)
      const urgent = yield* urgentOfInstallation(operation, visit.now)
      return {
        title: "Operator",
        body: (
          <Parts at={root}>
            <Attention of={urgent} href={root} />
            <Find text={text} label="Find an account" />
            <Table
              caption={text === "" ? "Accounts, newest first" : "Accounts that match, newest first"}
              columns={["Account", numeric("Wallet"), "Tier", numeric("Rate limit"), "Since"]}
              rows={listed.map(({ account, balance }) => [
                <>
                  <a href={accountPath(account.id)}>{account.name}</a>{" "}
                  {account.suspendedAt !== undefined && <State is={conditionOf(account)} />}
                  <br />
                  <small class="id">{account.id}</small>
                </>,
                usd(balance),
                account.tier,
                `${account.perMinute}/min`,
                <Time key="since" at={account.createdAt} />,
              ])}
            />
            {found.length === 0 && <p>{text === "" ? "No account yet." : "No accounts match your search."}</p>}
            {text !== "" && (
              <p class="soft">
                Searched: the newest {mostSearched} accounts. An older one is found by its whole name or id.
              </p>
            )}
            <Pager
              path={root}
              shown={{ ...shown, isOpen: true }}
              what="accounts"
              last={found.length > pageSize ? listed.at(-1)?.account.id : undefined}
            />
            <h2>New account</h2>
            <Form visit={visit} action="create" button="Create account">
              <Fields visit={visit} action="create" verb={accountsCreate} />
            </Form>
          </Parts>
        ),
      }
    }),
  actions: { create: runs(accountsCreate, ({ id }) => ({ to: accountPath(id) })) },
})
