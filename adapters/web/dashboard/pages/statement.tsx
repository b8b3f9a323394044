/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { monthOf } from "../../../../core/account/Agent.ts"
import { exactDecimals, usd } from "../../../../core/account/Money.ts"
import { nextSpanStart, oldestKept, spanStart } from "../../../../core/account/Usage.ts"
import * as Csv from "../../../../core/csv/write.ts"
import { dayOf } from "../../../../core/time.ts"
import { addressWith } from "../../view/addresses.ts"
import { dayText, monthText, timeText } from "../../view/dates.ts"
import { makeFilterReader, refusal } from "../../view/filters.tsx"
import { Figure, numeric, Table } from "../../view/parts.tsx"
import { type AccountVisit, type Download, ofAccount, type Page } from "../Page.ts"
import { Amount, Sums } from "../WalletCard.tsx"
import { lineText, readDays, signedUsd, sumOf } from "../walletDays.ts"

const path = "/dashboard/wallet/statement"

/** The statement of the month of an instant. */
export const statementAddress = (at: number): string => addressWith(path, { month: monthOf(at) })

/** The month in a page's address; absent: this one. */
const parseMonth = ({ query, now }: Pick<AccountVisit, "query" | "now">) => {
  const read = makeFilterReader(query)
  const given = read.text("month") ?? monthOf(now)
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(given) && given <= monthOf(now)
  if (!isMonth) read.refuse("month", "Write a month that has begun as year and month, such as 2026-11.")
  return { from: isMonth ? Date.parse(`${given}-01T00:00:00Z`) : spanStart("month", now), wrong: read.wrong }
}

const kindNames = { credit: "Credits", reversal: "Reversals", charges: "Charges" } as const

/** The lines of a month by day; of months whose days are no longer kept, its charges in one. */
const readMonth = (accountId: string, from: number, now: number) =>
  readDays(accountId, from, nextSpanStart("month", from + 1), from < oldestKept("day", now) ? "month" : "day")

const columns = ["day", "line", "count", "amount_micros", "balance_micros"] as const

const file: Download = {
  type: "text/csv; charset=utf-8; header=present",
  fileName: "statement.csv",
  open: (visit) =>
    Effect.gen(function* () {
      const { from, wrong } = parseMonth(visit)
      if (wrong.length > 0) return yield* refusal(wrong)
      const { opening, lines, closing } = yield* readMonth(visit.account.id, from, visit.now)
      const rows: ReadonlyArray<ReadonlyArray<string | number>> = [
        columns,
        [dayOf(from), "opening", 0, 0, opening],
        ...lines.map(({ at, kind, count, micros, balance }) => [dayOf(at), kind, count, micros, balance]),
        [dayOf(nextSpanStart("month", from + 1) - 1), "closing", 0, 0, closing],
      ]
      return Stream.make(rows.map((row) => `${Csv.toLine(row)}\r\n`).join(""))
    }),
}

/** A month of the wallet: opening balance, credits, charges by day, closing balance. It is made to be printed. */
export const statementPage: Page = ofAccount({
  path,
  downloads: { ".csv": file },
  view: (visit) =>
    Effect.gen(function* () {
      const { account, now } = visit
      const { from, wrong } = parseMonth(visit)
      const { opening, lines, closing, hasOlder } = yield* readMonth(account.id, from, now)
      const end = nextSpanStart("month", from + 1)
      const decimals = exactDecimals([opening, ...lines.flatMap(({ micros, balance }) => [micros, balance])])
      return {
        title: `Statement, ${monthText(from)}`,
        ...(wrong.length > 0 ? { status: 400 } : {}),
        body: (
          <>
            {wrong.length > 0 && (
              <p class="error" role="alert">
                {wrong.map(({ message }) => message).join(" ")}
              </p>
            )}
            <p>
              Wallet of <strong>{account.name}</strong> <code>{account.id}</code>, {dayText(from)} to {dayText(end - 1)}
              {end > now && `, as of ${timeText(now)}`}. Days are UTC.
            </p>
            <Sums>
              <Figure name={end > now ? "Balance now" : "Closing balance"}>{usd(closing)}</Figure>
              <Figure name="Opening balance">{usd(opening)}</Figure>
              {(["credit", "reversal", "charges"] as const).map((kind) => (
                <Figure key={kind} name={kindNames[kind]}>
                  {signedUsd(sumOf(lines.filter((line) => line.kind === kind)))}
                </Figure>
              ))}
            </Sums>
            <section class="listing">
              <Table
                isCards
                isBrief
                caption={`Statement of ${monthText(from)}`}
                columns={["Day", "Line", numeric("Amount"), numeric("Balance")]}
                rows={[
                  [dayText(from), "Opening balance", "", usd(opening, decimals)],
                  ...lines.map((line) => [
                    dayText(line.at),
                    lineText(line),
                    <Amount key={line.at} of={line} decimals={decimals} />,
                    usd(line.balance, decimals),
                  ]),
                ]}
                total={[
                  dayText(Math.min(now, end - 1)),
                  end > now ? "Balance now" : "Closing balance",
                  signedUsd(closing - opening, decimals),
                  usd(closing, decimals),
                ]}
              />
            </section>
            <p class="actions">
              <a class="button plain" href={addressWith(`${path}.csv`, { month: monthOf(from) })}>
                Download (CSV)
              </a>
              {hasOlder && <a href={statementAddress(from - 1)}>{monthText(from - 1)}</a>}
              {end <= now && <a href={statementAddress(end)}>{monthText(end)}</a>}
              <a href="/dashboard/wallet">Wallet</a>
            </p>
          </>
        ),
      }
    }),
})
