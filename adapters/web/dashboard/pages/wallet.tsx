/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type { JournalPart, Posting } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { exactDecimals, usd } from "../../../../core/account/Money.ts"
import { topUpPath } from "../../../../core/account/Quote.ts"
import { maxSpans, oldestKept, Usage } from "../../../../core/account/Usage.ts"
import * as Csv from "../../../../core/csv/write.ts"
import { plural } from "../../../../core/text.ts"
import { day, dayOf, iso } from "../../../../core/time.ts"
import { isAllowed } from "../../../admin/AdminOperation.ts"
import { accountVerbs } from "../../../admin/accountVerbs.ts"
import { addressWith } from "../../view/addresses.ts"
import { dayText, monthText } from "../../view/dates.ts"
import { byName, makeFilterReader } from "../../view/filters.tsx"
import { List, numeric } from "../../view/parts.tsx"
import { toAction } from "../actions.ts"
import { inPages } from "../downloads.ts"
import { VerbForm } from "../Form.tsx"
import { Newer } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { type AccountVisit, type Download, ofAccount, type Page, type Visit } from "../Page.ts"
import { Time } from "../parts.tsx"
import { paceFrom, timeLeft } from "../spend.ts"
import { Amount, WalletCard } from "../WalletCard.tsx"
import { type DayLine, lineText, readDays, signedUsd } from "../walletDays.ts"
import { statementAddress } from "./statement.tsx"

export const path = "/dashboard/wallet"

/** Postings of a page of credits. */
const pageSize = 50

const pageDays = 20

/** The list of credits and reversals. */
export const transactionsPath = `${path}?lines=transactions`

/** Postings of a piece of the export: some milliseconds of work. */
const exportRows = 150

/** The id of a posting, as the address of a page has it. */
const idForm = /^(req|txn)_[0-9A-Za-z_]{1,60}$/

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
            (cursor === undefined ? `${Csv.toLine(columns)}\r\n` : "") +
            rows
              .map((row) => `${Csv.toLine(columns.map((column) => (column === "at" ? iso(row.at) : row[column])))}\r\n`)
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

/** The credits and reversals of a page's address, with their receipts. */
const readTransactions = (accountId: string, cursor: string | undefined) =>
  Effect.flatMap(Accounts, (accounts) => accounts.journal(accountId, pageSize + 1, cursor, "transactions"))

const Transactions = ({
  found,
  cursor,
}: {
  readonly found: ReadonlyArray<Posting>
  readonly cursor: string | undefined
}) => {
  const rows = found.slice(0, pageSize)
  const decimals = exactDecimals(rows.map(({ micros }) => micros))
  return (
    <section class="listing">
      <h2>Credits and reversals</h2>
      <List
        caption="Credits and reversals, newest first"
        rows={rows}
        empty={cursor !== undefined ? "No older line." : "No credit yet."}
        columns={[
          ["Time", ({ at }) => <Time at={at} isExact />],
          [numeric("Amount"), ({ micros }) => signedUsd(micros, decimals)],
          ["Line", kindOf],
          ["Transaction", ({ id }) => <code>{id}</code>],
        ]}
      />
      <p class="actions">
        <a href={path}>All days</a>
        <a class="button plain" href={`${path}.csv`}>
          Export all lines (CSV)
        </a>
        {cursor !== undefined && <a href={transactionsPath}>Newest lines</a>}
        {found.length > pageSize && (
          <a href={addressWith(transactionsPath, { cursor: rows.at(-1)!.id })}>Older lines</a>
        )}
      </p>
    </section>
  )
}

/** The days of a page, and what the calls of each cost by endpoint. */
const readPage = (accountId: string, end: number, now: number) =>
  Effect.gen(function* () {
    const from = Math.max(oldestKept("day", now), end - maxSpans.day * day, 0)
    const { lines, hasOlder } = yield* readDays(accountId, from, end)
    const days = [...new Set(lines.map(({ at }) => at))].toReversed()
    const first = days.slice(0, pageDays).at(-1)
    const query = { from: first ?? end, to: end, span: "day", group: "endpoint", livemode: true } as const
    return {
      lines: lines.filter(({ at }) => first !== undefined && at >= first).toReversed(),
      calls: first === undefined ? [] : yield* (yield* Usage).sums(accountId, query),
      /** Where the next page ends. */
      next: days.length > pageDays ? first : hasOlder && from > oldestKept("day", now) ? from : undefined,
      /** The first day that is not kept by itself. */
      unkept: hasOlder && from === oldestKept("day", now) ? from : undefined,
    }
  })

type Found = Effect.Effect.Success<ReturnType<typeof readPage>>

/** A day that unfolds into the calls of each endpoint. */
const Day = ({
  line: { at, kind },
  calls,
  decimals,
}: { readonly line: DayLine; readonly decimals: number } & Pick<Found, "calls">) => {
  if (kind !== "charges") return <>{dayText(at)}</>
  return (
    <details>
      <summary>{dayText(at)}</summary>
      <ol>
        {calls
          .filter((sum) => sum.at === at)
          .map(({ group, calls, charged }) => (
            <li key={group}>
              {group === "*" ? "several endpoints" : group}: {plural(calls, "call")}, {usd(charged, decimals)}
            </li>
          ))}
        <li>
          <a href={addressWith("/dashboard/calls", { from: dayOf(at), to: dayOf(at), mode: "live" })}>View calls</a>
        </li>
      </ol>
    </details>
  )
}

/** The days of a page: credits, reversals and charges of each, and the balance at its end. */
const Days = ({
  found: { lines, calls, next, unkept },
  newest,
  isNewest,
  now,
}: {
  readonly found: Found
  readonly newest: string | undefined
  readonly isNewest: boolean
  readonly now: number
}) => {
  const decimals = exactDecimals(lines.flatMap(({ micros, balance }) => [micros, balance]))
  return (
    <section class="listing">
      <h2>Activity</h2>
      <p>
        Every credit and charge, and the calls of live keys, failed ones too. For totals see{" "}
        <a href="/dashboard/usage?mode=live">Usage</a>.
      </p>
      {isNewest && <Newer is={values.newestPosting(newest)} what="lines" href={path} />}
      <List
        isBrief
        caption="Days of the wallet, newest first; days are UTC"
        rows={lines}
        empty={isNewest ? noLine : "No older line."}
        columns={[
          ["Day", (line) => <Day line={line} calls={calls} decimals={decimals} />],
          [
            "Details",
            (line) => (line.kind === "charges" ? lineText(line) : <a href={transactionsPath}>{lineText(line)}</a>),
          ],
          [numeric("Amount"), (line) => <Amount of={line} decimals={decimals} />],
          [numeric("Balance after"), ({ at, balance }, n) => (lines[n - 1]?.at === at ? "" : usd(balance, decimals))],
        ]}
      />
      <p class="actions">
        {!isNewest && <a href={path}>Newest days</a>}
        {next !== undefined && <a href={addressWith(path, { before: dayOf(next) })}>Older days</a>}
        {next === undefined && unkept !== undefined && <a href={statementAddress(unkept - day)}>Older months</a>}
      </p>
      <p class="actions">
        <a class="button plain" href={statementAddress(now)}>
          Statement of {monthText(now)}
        </a>
        <a class="button plain" href={`${path}.csv`}>
          Export all lines (CSV)
        </a>
        <a class="button plain" href={transactionsPath}>
          Credits and receipts
        </a>
      </p>
    </section>
  )
}

const view = ({ account, query, now, ...visit }: AccountVisit) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { balance } = yield* accounts.balance(account.id)
    const low = yield* accounts.lowBalance(account.id)
    const [newest] = yield* accounts.journal(account.id, 1)
    const spent = { from: paceFrom(now), to: now + 1, span: "day", group: "status" } as const
    const left = timeLeft(balance, yield* (yield* Usage).sums(account.id, spent), now)
    const read = makeFilterReader(query)
    const part = read.one("lines", parts, "Lines are days, or transactions.")
    const before = read.day("before")
    const cursor = read.text("cursor")
    if (cursor !== undefined && !idForm.test(cursor)) read.refuse("cursor", "This page link is invalid.")
    const today = now - (now % day)
    const end = Math.min(before ?? Number.POSITIVE_INFINITY, today + day)
    if (end <= oldestKept("day", now)) read.refuse("before", "Older days are on the statements of their months.")
    const { wrong } = read
    return {
      title: "Wallet",
      ...(wrong.length > 0 ? { status: 400 } : {}),
      body: (
        <>
          <WalletCard balance={balance} left={left} />
          {wrong.length > 0 ? (
            <p class="error" role="alert">
              {wrong.map(({ message }) => message).join(" ")}
            </p>
          ) : part !== undefined ? (
            <Transactions found={yield* readTransactions(account.id, cursor)} cursor={cursor} />
          ) : (
            <Days
              found={yield* readPage(account.id, end, now)}
              newest={newest?.id}
              isNewest={before === undefined}
              now={now}
            />
          )}
          <LowBalance visit={{ account, query, now, ...visit }} micros={low} />
        </>
      ),
    }
  })

/** The wallet and its journal. */
export const walletPage: Page = ofAccount({
  path,
  label: "Wallet",
  view,
  actions: { [action]: toAction(walletThreshold, () => ({ to: path })) },
  downloads: { ".csv": journal },
})
