import type { NonEmptyReadonlyArray } from "effect/Array"
import type * as Redacted from "effect/Redacted"

export interface Settings {
  /** `sk_` or, with fewer rights, `rk_`; of the test or the live mode. */
  readonly secretKey: Redacted.Redacted
  /** Secrets of the webhook endpoint: one, and while it is rotated the former one too. */
  readonly webhookSecrets: NonEmptyReadonlyArray<Redacted.Redacted>
  /** The address of another host than Stripe's, which serves the pages too: for tests. */
  readonly apiUrl?: string
}
