/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { probabilityScale } from "../../../core/record/scoreboard/calibration.ts"
import { iso } from "../../../core/time.ts"
import { entryPath, marketPath } from "../view/addresses.ts"
import { timeText } from "../view/dates.ts"
import { percent } from "../view/numbers.ts"
import { Closer, closerOf } from "../view/parts.tsx"
import type { Priced } from "./readEntries.ts"

export const At = ({ at }: { readonly at: number }) => <time datetime={iso(at)}>{timeText(at)}</time>

/** Leads to the proof of an entry; a script that has verified it says so here. */
export const Verify = ({ position }: { readonly position: number }) => (
  <a class="badge" href={entryPath(position)} data-entry={position}>
    Verify<span class="unseen"> entry {position}</span>
  </a>
)

/** Leads to the page of a contract. */
export const Market = ({ ticker, children }: { readonly ticker: string; readonly children: ComponentChildren }) => (
  <a href={marketPath(ticker)}>{children}</a>
)

export const resultNames: Readonly<Record<string, string>> = { yes: "Yes", no: "No", void: "Void" }

export interface Chances {
  readonly model?: number | undefined
  readonly market?: number | undefined
}

/** Who was closer; undefined: nothing can be compared. */
export const findCloser = ({ model, market, result }: Chances & { readonly result?: string | undefined }) =>
  model === undefined || market === undefined || (result !== "yes" && result !== "no")
    ? undefined
    : closerOf(model / probabilityScale, market / probabilityScale, result === "yes")

export const Scored = ({ who }: { readonly who: ReturnType<typeof findCloser> }) =>
  who === undefined ? null : (
    <small>
      <Closer who={who} />
    </small>
  )

export const Outcome = ({
  result,
  closeTime,
  ...said
}: Chances & { readonly result?: string | undefined; readonly closeTime?: number | undefined }) =>
  result === undefined ? (
    <>
      no result yet
      {closeTime !== undefined && (
        <>
          , close at <At at={closeTime} />
        </>
      )}
    </>
  ) : (
    <>
      <strong>{resultNames[result] ?? "see the text"}</strong> <Scored who={findCloser({ ...said, result })} />
    </>
  )

export const Said = ({ model, market }: Pick<Priced, "model"> & { readonly market?: number | undefined }) => (
  <>
    we said <strong>{percent(model / probabilityScale)}</strong>, the market{" "}
    {market === undefined ? "had no price" : <strong>{percent(market / probabilityScale)}</strong>}
  </>
)
