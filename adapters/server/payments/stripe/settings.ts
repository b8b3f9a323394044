import type { NonEmptyReadonlyArray } from "effect/Array"
import type * as Redacted from "effect/Redacted"

export interface Settings {
  /** `sk_` or, with fewer rights, `rk_`; of the test or the live mode. */
  readonly secretKey: Redacted.Redacted
  /** Secrets of the webhook endpoint: one, and during a rotation the former one too. */
  readonly webhookSecrets: NonEmptyReadonlyArray<Redacted.Redacted>
  /** For tests: another host than Stripe's, for the API and the pages. */
  readonly apiUrl?: string
}
