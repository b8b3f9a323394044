/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import type { JournalPart, Posting } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { decimalsOf, usd } from "../../../../core/account/Money.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import * as Csv from "../../../../core/csv/write.ts"
import { iso } from "../../../../core/time.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { accountVerbs } from "../../../admin/accountVerbs.ts"
import { List, numeric } from "../../view/parts.tsx"
import { runs } from "../actions.ts"
import { inPages } from "../downloads.ts"
import { byName, type Filter, Filters, filteredAddress, reading } from "../Filters.tsx"
import { VerbForm } from "../Form.tsx"
import { Live, Newer } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { type AccountVisit, type Download, ofAccount, type Page, type Visit } from "../Page.ts"
import { Time } from "../parts.tsx"
import { paceFrom, timeLeft } from "../spend.ts"

export const path = "/dashboard/wallet"

/** Postings of a page. */
const pageSize = 50

/** Postings of a piece of the export: some milliseconds of work. */
const exportRows = 150

/** The id of a posting, as the address of a page has it. */
const idForm = /^(req|txn)_[0-9A-Za-z_]{1,60}$/

/** An amount with its sign, for a list in which both directions are. */
const signedUsd = (micros: number, decimals: number): string => `${micros > 0 ? "+" : ""}${usd(micros, decimals)}`

const kindOf = ({ kind, endpoint, reverses, provider, receipt }: Posting) => {
  switch (kind) {
    case "credit":
      return provider === undefined ? (
        "Credit"
      ) : (
        <>
          Credit, {provider} <code>{receipt}</code>
        </>
      )
    case "charge":
      return endpoint === undefined ? "Charge" : `Charge, ${endpoint}`
    case "reversal":
      return (
        <>
          Reversal of <code>{reverses}</code>
        </>
      )
  }
}

const noLine = (
  <>
    No line yet. <a href={topUpPath}>How to top up</a>. Test keys need no balance.
  </>
)

const columns = ["at", "id", "kind", "micros", "endpoint", "reverses", "provider", "receipt"] as const

/** The whole journal as a file: the newest first. */
const journal: Download = {
  type: "text/csv; charset=utf-8; header=present",
  fileName: "wallet.csv",
  open: ({ account }) =>
    Effect.flatMap(Accounts, (accounts) =>
      inPages((cursor: string | undefined) =>
        Effect.map(accounts.journal(account.id, exportRows, cursor), (rows) => ({
          text:
            (cursor === undefined ? `${Csv.line(columns)}\r\n` : "") +
            rows
              .map((row) => `${Csv.line(columns.map((column) => (column === "at" ? iso(row.at) : row[column])))}\r\n`)
              .join(""),
          next: rows.length < exportRows ? undefined : rows.at(-1)?.id,
        })),
      ),
    ),
}

const { walletThreshold } = accountVerbs

/** The name of the form, by which a refused one is shown again. */
const action = "threshold"

/**
 * The threshold of the event `wallet.low`, and the form that changes it.
 *
 * @param micros undefined: none
 */
const LowBalance = ({ visit, micros }: { readonly visit: Visit; readonly micros: number | undefined }) => {
  const mayChange = isAllowed(walletThreshold, visit.actor)
  return (
    <section>
      <h2>Low balance</h2>
      <p>
        {micros === undefined ? (
          "No threshold is set."
        ) : (
          <>
            When the balance falls below <strong>{usd(micros)}</strong>, subscribed{" "}
            <a href="/dashboard/webhooks">webhooks</a> get the event <code>wallet.low</code>.
            {mayChange && " An empty field removes the threshold."}
          </>
        )}
      </p>
      {mayChange && (
        <VerbForm
          visit={visit}
          action={action}
          button="Set threshold"
          verb={walletThreshold}
          values={{ threshold_micros: micros === undefined ? undefined : String(micros / 1e6) }}
        />
      )}
    </section>
  )
}

const parts = byName<JournalPart>(["transactions"])

/** How often lines are read where charges come in between. */
const maxReads = 3

/** The balance after each line, of lines that begin with the newest of all. */
const balancesAfter = (balance: number, rows: ReadonlyArray<Posting>): ReadonlyArray<number> => {
  let left = balance
  return rows.map(({ micros }) => {
    const after = left
    left -= micros
    return after
  })
}

/** The balance, and the lines of a page's address. */
const readLines = ({ account, query }: AccountVisit) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const read = reading(query)
    const part = read.one("lines", parts, "Lines are all, or transactions alone.")
    const cursor = read.text("cursor")
    if (cursor !== undefined && !idForm.test(cursor)) read.refuse("cursor", "This page link is invalid.")
    const { wrong } = read
    const isNewest = cursor === undefined && part === undefined
    for (let reads = 1; ; reads++) {
      const { balance } = yield* accounts.balance(account.id)
      const rows = wrong.length > 0 ? [] : yield* accounts.journal(account.id, pageSize + 1, cursor, part)
      // A charge between the reads would be in one of them alone. Older lines have no balance beside them.
      const isStill = isNewest && (yield* accounts.balance(account.id)).balance === balance
      if (isStill || !isNewest || reads === maxReads) {
        return { balance, rows, balances: isStill ? balancesAfter(balance, rows) : [], cursor, part, wrong }
      }
    }
  })

/** The journal: its lines, a filter, and the ways to older ones and to a file. */
const Journal = ({
  query,
  of: { rows: found, balances, cursor, part, wrong },
}: {
  readonly query: URLSearchParams
  readonly of: Effect.Effect.Success<ReturnType<typeof readLines>>
}) => {
  const rows = found.slice(0, pageSize)
  const decimals = decimalsOf([...rows.map(({ micros }) => micros), ...balances.slice(0, rows.length)])
  const address = (changes?: Readonly<Record<string, string>>) => filteredAddress(path, query, ["lines"], changes)
  return (
    <section class="listing">
      <h2>Journal</h2>
      <p>
        The balance is the sum of these lines. Charges by day are on <a href="/dashboard/usage">Usage</a>,{" "}
        <a href="/dashboard/calls">the calls</a> behind them on Calls.
      </p>
      <Filters filters={filters} query={query} wrong={wrong} path={path} />
      <p class="actions">
        <a class="button plain" href={`${path}.csv`}>
          Export all lines (CSV)
        </a>
      </p>
      {cursor === undefined && part === undefined && (
        <Newer is={values.newestPosting(rows[0]?.id)} what="lines" href={path} />
      )}
      {wrong.length === 0 && (
        <List
          caption="Journal of the wallet, newest first; times are UTC"
          rows={rows}
          empty={cursor !== undefined ? "No older line." : part === undefined ? noLine : "No credit yet."}
          columns={[
            ["Time", ({ at }) => <Time at={at} isExact />],
            [numeric("Amount"), ({ micros }) => signedUsd(micros, decimals)],
            balances.length > 0 && [numeric("Balance after"), (_, at) => usd(balances[at]!, decimals)],
            ["Line", kindOf],
            ["Request or transaction", ({ id }) => <code>{id}</code>],
          ]}
        />
      )}
      <p class="actions">
        {cursor !== undefined && <a href={address()}>Newest lines</a>}
        {found.length > pageSize && <a href={address({ cursor: rows.at(-1)!.id })}>Older lines</a>}
      </p>
    </section>
  )
}

const filters: ReadonlyArray<Filter> = [
  { name: "lines", label: "Lines", all: "all", choices: [["transactions", "credits and reversals"]] },
]

const view = (visit: AccountVisit) =>
  Effect.gen(function* () {
    const { account, query, now } = visit
    const low = yield* (yield* Accounts).lowBalance(account.id)
    const lines = yield* readLines(visit)
    const { balance } = lines
    const spent = { from: paceFrom(now), to: now + 1, span: "day", group: "status" } as const
    const left = timeLeft(balance, yield* (yield* Usage).sums(account.id, spent), now)
    return {
      title: "Wallet",
      ...(lines.wrong.length > 0 ? { status: 400 } : {}),
      body: (
        <>
          <dl class="cards">
            <div class="card">
              <dt>Balance</dt>
              <dd class="figure">
                <Live is={values.balance(balance)} />
              </dd>
            </div>
            <div class="card">
              <dt>Time left</dt>
              <dd>
                <span class="figure">{left.figure}</span>
                <small>{left.note}</small>
              </dd>
            </div>
          </dl>
          <p>
            <a class="button" href={topUpPath}>
              Top up
            </a>
          </p>
          <LowBalance visit={visit} micros={low} />
          <Journal query={query} of={lines} />
        </>
      ),
    }
  })

/** The wallet and its journal. */
export const walletPage: Page = ofAccount({
  path,
  label: "Wallet",
  view,
  actions: { [action]: runs(walletThreshold, () => ({ to: path })) },
  downloads: { ".csv": journal },
})
