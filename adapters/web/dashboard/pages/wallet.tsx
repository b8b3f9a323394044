/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { Posting } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { Usage } from "../../../../core/account/Usage.ts"
import * as Csv from "../../../../core/csv/write.ts"
import { day, iso } from "../../../../core/time.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { accountVerbs } from "../../../admin/accountVerbs.ts"
import { List, numeric } from "../../view/parts.tsx"
import { runs } from "../actions.ts"
import { inPages } from "../downloads.ts"
import { VerbForm } from "../Form.tsx"
import { Live, Newer } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { type AccountVisit, type Download, ofAccount, type Page, type Visit } from "../Page.ts"
import { Time, usd } from "../parts.tsx"
import { addUp } from "../spend.tsx"

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
            ) : (
              <List
                caption="Journal of the wallet, newest first; times are UTC"
                rows={rows}
                empty={before === undefined ? noLine : "No older line."}
                columns={[
                  ["Time", ({ at }) => <Time at={at} isExact />],
                  [numeric("Amount"), ({ micros }) => signedUsd(micros)],
                  ["Line", kindOf],
                  ["Request or transaction", ({ id }) => <code>{id}</code>],
                ]}
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
  actions: { [action]: runs(walletThreshold, () => ({ to: path })) },
  downloads: { ".csv": journal },
})
