/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { Posting } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import * as Csv from "../../../../core/csv/write.ts"
import { day, iso } from "../../../../core/time.ts"
import { numeric, Table } from "../../view/parts.tsx"
import { inPages } from "../inPages.ts"
import { Live, Newer } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { type AccountVisit, type Download, ofAccount, type Page } from "../Page.ts"
import { Time, usd } from "../parts.tsx"
import { addUp } from "../spend.tsx"
import { LowBalance, lowBalanceActions } from "./lowBalance.tsx"

export const path = "/dashboard/wallet"

/** Postings of a page. */
const pageSize = 50

/** Postings of a piece of the export: some milliseconds of work. */
const exportRows = 150

/** The id of a posting, as the address of a page has it. */
const idForm = /^(req|txn)_[0-9A-Za-z_]{1,60}$/

/** Days whose spend is the pace. */
const paceDays = 7

/** How long the balance lasts, at the spend of the last days, today included. */
const readPace = (accountId: string, now: number) =>
  Effect.gen(function* () {
    const { sums } = yield* Usage
    const from = now - (now % day) - (paceDays - 1) * day
    const { charged } = addUp(yield* sums(accountId, { from, to: now + 1, span: "day", group: "status" }))
    return charged / ((now - from) / day)
  })

/** An amount with its sign, for a list in which both directions are. */
const signedUsd = (micros: number): string => (micros > 0 ? `+${usd(micros)}` : usd(micros))

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

const columns = ["at", "id", "kind", "micros", "endpoint", "reverses", "provider", "receipt"] as const

/** The whole journal as a file: the newest first. */
const journal: Download = {
  type: "text/csv; charset=utf-8; header=present",
  fileName: "wallet.csv",
  open: ({ account }) =>
    Effect.flatMap(Accounts, (accounts) =>
      inPages((before: string | undefined) =>
        Effect.map(accounts.journal(account.id, exportRows, before), (rows) => ({
          text:
            (before === undefined ? `${Csv.line(columns)}\r\n` : "") +
            rows
              .map((row) => `${Csv.line(columns.map((column) => (column === "at" ? iso(row.at) : row[column])))}\r\n`)
              .join(""),
          next: rows.length < exportRows ? undefined : rows.at(-1)?.id,
        })),
      ),
    ),
}

const view = (visit: AccountVisit) =>
  Effect.gen(function* () {
    const { account, query, now } = visit
    const accounts = yield* Accounts
    const { balance } = yield* accounts.balance(account.id)
    const low = yield* accounts.lowBalance(account.id)
    const pace = yield* readPace(account.id, now)
    const before = query.get("before") ?? undefined
    const isDamaged = before !== undefined && !idForm.test(before)
    const found = isDamaged ? [] : yield* accounts.journal(account.id, pageSize + 1, before)
    const rows = found.slice(0, pageSize)
    const last = rows.at(-1)
    return {
      title: "Wallet",
      ...(isDamaged ? { status: 400 } : {}),
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
                <span class="figure">{pace > 0 ? daysText(balance / pace) : "–"}</span>
                <small>
                  {pace > 0
                    ? `at ${usd(Math.round(pace))} a day, the average of the last ${paceDays} days`
                    : `no spend in the last ${paceDays} days`}
                </small>
              </dd>
            </div>
          </dl>
          <p>
            <a class="button" href={topUpPath}>
              Top up
            </a>
          </p>
          <LowBalance visit={visit} micros={low} />
          <section class="listing">
            <h2>Journal</h2>
            <p>
              The balance is the sum of these lines. Export the journal as <a href={`${path}.csv`}>CSV</a>, or{" "}
              <a href="/dashboard/calls">the calls</a> behind it.
            </p>
            {before === undefined && <Newer is={values.newestPosting(rows[0]?.id)} what="lines" href={path} />}
            {isDamaged ? (
              <p class="error" role="alert">
                This page link is invalid. <a href={path}>Start from the newest lines.</a>
              </p>
            ) : rows.length === 0 ? (
              <p>
                {before === undefined ? (
                  <>
                    No line yet. <a href={topUpPath}>How to top up</a>. Test keys need no balance.
                  </>
                ) : (
                  "No older line."
                )}
              </p>
            ) : (
              <Table
                caption="Journal of the wallet, newest first; times are UTC"
                columns={["Time", numeric("Amount"), "Line", "Request or transaction"]}
                rows={rows.map((row) => [
                  <Time key="at" at={row.at} isExact />,
                  signedUsd(row.micros),
                  kindOf(row),
                  <code key="id">{row.id}</code>,
                ])}
              />
            )}
            <p class="actions">
              {before !== undefined && <a href={path}>Newest lines</a>}
              {found.length > pageSize && last !== undefined && <a href={`${path}?before=${last.id}`}>Older lines</a>}
            </p>
          </section>
        </>
      ),
    }
  })

const daysText = (days: number): string =>
  days >= 1_000
    ? "1000 days or more"
    : days < 1
      ? "less than a day"
      : `${Math.floor(days)} ${days < 2 ? "day" : "days"}`

/** The wallet and its journal. */
export const walletPage: Page = ofAccount({
  path,
  label: "Wallet",
  view,
  actions: lowBalanceActions(path),
  downloads: { ".csv": journal },
})
