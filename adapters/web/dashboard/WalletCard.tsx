/** @jsxRuntime automatic @jsxImportSource preact */

import type { ComponentChildren } from "preact"
import { topUpPath } from "../../../core/account/Quote.ts"
import { Figure } from "../view/parts.tsx"
import { Live } from "./live/Live.tsx"
import * as values from "./live/values.ts"
import type { TimeLeft } from "./spend.ts"
import { signedUsd } from "./walletDays.ts"

/** A card of figures, the first of which is the largest. */
export const Sums = ({ children }: { readonly children: ComponentChildren }) => (
  <section class="subject wallet" aria-label="Sums">
    <div class="says">{children}</div>
  </section>
)

/** The amount that a line adds to the balance; credits have a plus sign and a colour of their own. */
export const Amount = ({
  of: { micros },
  decimals,
}: {
  readonly of: { readonly micros: number }
  readonly decimals: number
}) => <span class={micros > 0 ? "up" : undefined}>{signedUsd(micros, decimals)}</span>

/**
 * The balance, how long it lasts, and the way to more.
 *
 * @param left at the pace of the last days
 */
export const WalletCard = ({
  balance,
  left,
  children,
}: {
  readonly balance: number
  readonly left: TimeLeft
  /** Further figures. */
  readonly children?: ComponentChildren
}) => (
  <section class="subject wallet" aria-label="Wallet">
    <div class="figures">
      <div class="says">
        <Figure name="Balance">
          <Live is={values.balance(balance)} />
        </Figure>
        {children}
        {left.figure !== "–" && <Figure name="Time left">{left.figure}</Figure>}
      </div>
      <p class="actions">
        <a class="button" href={topUpPath}>
          Top up
        </a>
      </p>
    </div>
    <p class="soft">{left.note}.</p>
  </section>
)
