import * as Data from "effect/Data"
import * as Rec from "effect/Record"
import type { Accept } from "./call/Accept.ts"

/** A structured remedy: which field, what to do with it, and how. */
export interface Hint {
  readonly field: string
  readonly action: HintAction
  readonly suggestion: string
}

export const hintActions = ["add", "change", "remove", "retry", "wait", "contact"] as const
export type HintAction = (typeof hintActions)[number]

interface Row {
  /** HTTP status. */
  readonly status: number
  /** True: fix the input or wait, then retry. False: escalate to a human. */
  readonly recoverable: boolean
  /** The message of a failure without `detail`. */
  readonly message: string
  /** The text of `/errors/{code}`. */
  readonly docs: string
  /** Field and action of the hint of a failure without any; its suggestion is `docs`. Every recoverable code has it. */
  readonly remedy?: Remedy
}

type Remedy = readonly [field: string, action: HintAction]
type Texts = Pick<Row, "message" | "docs" | "remedy">

const withStatus = <Code extends string>(status: number, remedy: Remedy, texts: Readonly<Record<Code, Texts>>) =>
  Rec.map(texts, (text): Row => ({ status, recoverable: true, remedy, ...text }))

/** The only list of error codes. A code never changes its meaning and is never reused. */
export const codes = {
  ...withStatus(401, ["Authorization", "change"], {
    missing_authorization: {
      message: "No Bearer token was sent.",
      docs: "Send the header `Authorization: Bearer <API key>`. A `Basic` header or an empty token counts as none.",
    },
    invalid_api_key_format: {
      message: "The token does not have the form of an API key.",
      docs: "A key is `svk_test_` or `svk_live_`, 43 characters of base62 and a 6-character checksum. A truncated or mistyped key fails this check, before any look-up.",
    },
  }),
  invalid_api_key: {
    status: 401,
    recoverable: false,
    message: "This API key is unknown or revoked.",
    docs: "The key has the right form but was never issued, has expired or was revoked. Ask the owner of the account for a new one.",
  },
  ...withStatus(403, ["account", "contact"], {
    insufficient_scope: {
      message: "This API key may not call this endpoint.",
      docs: "The key's scopes do not include this lane, or `manage` for alerts and webhooks, which a key has only if it was made with it. Use a key whose scopes do.",
      remedy: ["Authorization", "change"],
    },
    account_suspended: {
      message: "The account of this key is suspended.",
      docs: "The operator suspended the account: every call of its keys, live or test, is refused. Nothing is charged or deleted. Calls work again as soon as the operator resumes it.",
    },
    agent_paused: {
      message: "The agent of this key is paused.",
      docs: "The account's owner paused the agent. Calls work again as soon as it is resumed.",
    },
  }),
  ...withStatus(400, ["parameters", "change"], {
    invalid_parameter: {
      message: "One or more parameters are not valid.",
      docs: "`hints` names every bad field and every unknown parameter at once, with what it must be. Nothing was charged.",
    },
    invalid_request_body: {
      message: "One or more fields of the request body are not valid.",
      docs: "`hints` names the fields of the JSON body to correct.",
    },
    invalid_ticker_format: {
      message: "The ticker is not in MIC:SYMBOL format.",
      docs: "Write an ISO 10383 market code, a colon and the symbol, for example `XNAS:AAPL`.",
    },
    invalid_accession_number: {
      message: "The accession number does not match ##########-##-######.",
      docs: "Ten digits, a hyphen, two digits, a hyphen, six digits.",
    },
  }),
  ...withStatus(402, ["payment", "change"], {
    insufficient_funds: {
      message: "The wallet balance is below the price of this call.",
      docs: "`error.quote` names the price and the shortfall, `hints` where to credit the wallet. Nothing was charged. Credit it and call again.",
    },
    payment_required: {
      message: "No API key and no payment was sent.",
      docs: "Send an API key, or pay for this one call on one of the terms in `error.quote.accepts` (x402: repeat the call with the header `PAYMENT-SIGNATURE`). Nothing was charged.",
    },
    payment_invalid: {
      message: "The payment sent with this call is not valid.",
      docs: "The header `PAYMENT-SIGNATURE` is malformed, or the payment's signature, token, recipient or payer's balance does not fit. `hints` names the field. Nothing was taken: sign a new payment on one of the terms in `error.quote.accepts`.",
    },
    payment_expired: {
      message: "The payment sent with this call has expired, or is not valid yet.",
      docs: "The signed payment is outside its time window. Nothing was taken: sign a new one that is valid for at least a minute.",
    },
    payment_underpaid: {
      message: "The payment sent with this call is not one of the amounts asked for.",
      docs: "A payment is for exactly one of the amounts in `error.quote.accepts`. Nothing was taken.",
    },
    payment_wrong_network: {
      message: "The payment sent with this call is for another network.",
      docs: "Pay on a network of `error.quote.accepts`. Nothing was taken.",
    },
    payment_replayed: {
      message: "The payment sent with this call was used before.",
      docs: "A signed payment counts once. If the first call was cut off after its payment had arrived, the amount is in the wallet: call again, without a payment if you have a key. Without a key, sign a new payment a minute later: it is taken only if the wallet of your address does not cover the call.",
    },
    payment_in_progress: {
      remedy: ["retry_after_ms", "wait"],
      message: "Another payment of this payer is under way.",
      docs: "A payer's payments are taken one after the other. This one was not sent and stays valid: send it again after `retry_after_ms`. For calls at the same time, credit a wallet and call with its key.",
    },
    payment_unconfirmed: {
      remedy: ["retry_after_ms", "wait"],
      message: "The payment was sent to its network and is not confirmed yet.",
      docs: "The answer was not served. Once the network confirms the payment, it is credited to the wallet by itself: wait, then call again, and do not pay twice.",
    },
  }),
  not_found: {
    status: 404,
    recoverable: true,
    remedy: ["path", "change"],
    message: "No such path or record.",
    docs: "The path does not exist, or no record has this id. `hints` says which.",
  },
  job_not_found: {
    status: 404,
    recoverable: false,
    message: "This job does not exist or belongs to another organisation.",
    docs: "Reserved. Jobs belong to endpoints that are not offered.",
  },
  method_not_allowed: {
    status: 405,
    recoverable: false,
    message: "Method not allowed on this path.",
    docs: "The header `Allow` lists the path's methods. Read the catalogue with GET.",
  },
  not_acceptable: {
    status: 406,
    recoverable: true,
    remedy: ["Accept", "change"],
    message: "This path has no media type that Accept allows.",
    docs: "Omit the `Accept` header or include `application/json`; lists also have `text/csv` and `application/x-ndjson`. `hints` names the path's media types.",
  },
  request_timeout: {
    status: 408,
    recoverable: true,
    remedy: ["request", "retry"],
    message: "The request timed out.",
    docs: "A request must arrive within 10 s and is answered within 30 s. Nothing was charged; try again.",
  },
  idempotency_in_progress: {
    status: 409,
    recoverable: true,
    remedy: ["Idempotency-Key", "wait"],
    message: "The first call with this Idempotency-Key is still running.",
    docs: "Wait and send the same call again: it returns the stored answer of the first.",
  },
  not_offered: {
    status: 410,
    recoverable: false,
    message: "This path is not offered.",
    docs: "It carries no price, is not in the catalogue and is unsupported.",
  },
  payload_too_large: {
    status: 413,
    recoverable: true,
    remedy: ["body", "change"],
    message: "The request body is too large.",
    docs: "The limit is 64 KiB.",
  },
  uri_too_long: {
    status: 414,
    recoverable: true,
    remedy: ["path", "change"],
    message: "The request target is too long.",
    docs: "The limit is 8,192 characters for path and query.",
  },
  idempotency_key_reused: {
    status: 422,
    recoverable: true,
    remedy: ["Idempotency-Key", "change"],
    message: "This Idempotency-Key was used with another request.",
    docs: "A key belongs to one request for 24 hours. Use a new UUIDv4 for a new request.",
  },
  ...withStatus(429, ["retry_after_ms", "wait"], {
    rate_limit_exceeded: {
      message: "Rate limit exceeded for this key or address.",
      docs: "Wait `retry_after_ms`. `X-RateLimit-Remaining` and `X-RateLimit-Reset` on every answer show how much is left.",
    },
    account_rate_limited: {
      message: "Rate limit exceeded for the calls of this account that are not charged.",
      docs: "All keys of an account share one limit, that of the largest key, for calls that are not charged: those of test keys, of free endpoints, HEAD, dry runs, and answers that turn out to be free. Charged calls neither count nor are refused. Wait `retry_after_ms`.",
    },
  }),
  agent_budget_exceeded: {
    status: 429,
    recoverable: false,
    message: "The agent of this key has reached its cap.",
    docs: "A monthly cap resets with the next UTC month (`retry_after_ms`); a lifetime cap must be raised by the account's owner. Free endpoints still answer.",
  },
  headers_too_large: {
    status: 431,
    recoverable: true,
    remedy: ["headers", "remove"],
    message: "The request headers are too large.",
    docs: "The limit is 16 KiB for all headers.",
  },
  internal_error: {
    status: 500,
    recoverable: false,
    message: "Unexpected server error.",
    docs: "Nothing was charged. Report the `request_id`.",
  },
  data_freshness_stale: {
    status: 503,
    recoverable: true,
    remedy: ["retry_after_ms", "retry"],
    message: "The source data is too old.",
    docs: "It is being fetched again; retry after `retry_after_ms`. Nothing was charged.",
  },
  data_provider_unavailable: {
    status: 503,
    recoverable: false,
    message: "No provider is configured for this data.",
    docs: "The lane is in live mode and nothing provides these data: the operator must configure a provider or load them. Waiting does not help.",
  },
  ...withStatus(503, ["retry_after_ms", "retry"], {
    upstream_unavailable: {
      message: "The data source is not responding.",
      docs: "An upstream outage. Nothing was charged; retry later.",
    },
    storage_unavailable: {
      message: "The store cannot be used at the moment.",
      docs: "It is locked, full or cannot be reached; the message says which. Nothing was charged. Retry after `retry_after_ms`.",
    },
  }),
} as const satisfies Record<string, Row>

export type Code = keyof typeof codes

export const codeNames = Object.keys(codes) as ReadonlyArray<Code>

/** The quote of a 402: price, shortfall and top-up URL. Built by `core/account/Quote.ts`. */
export interface Quote {
  readonly endpoint: string
  readonly price: { readonly display: string; readonly micros: number }
  readonly balance_micros?: number
  readonly shortfall_micros: number
  readonly currency: "USD"
  readonly topup_url: string
  readonly expires_at: string
  /** Terms on which a payment sent with the call is accepted. */
  readonly accepts: ReadonlyArray<Accept>
}

/** The one error type of the core. Its code is one of `codes`. */
export class Failure extends Data.TaggedError("Failure")<{
  readonly code: Code
  /** Replaces the table's message where the exact case is known. */
  readonly detail?: string
  readonly hints?: ReadonlyArray<Hint>
  readonly retryAfterMs?: number
  readonly quote?: Quote
  /** The value of the header `PAYMENT-REQUIRED`. */
  readonly required?: string
  /** For logs only; never serialised. */
  readonly cause?: unknown
}> {
  get status(): number {
    return codes[this.code].status
  }
  get recoverable(): boolean {
    return codes[this.code].recoverable
  }
  override get message(): string {
    return this.detail ?? codes[this.code].message
  }
  /** What to do: the hints of the case, else the remedy of the code. */
  get remedies(): ReadonlyArray<Hint> {
    const { remedy, docs }: Row = codes[this.code]
    if (remedy === undefined || (this.hints ?? []).length > 0) return this.hints ?? []
    return [{ field: remedy[0], action: remedy[1], suggestion: docs }]
  }
}

export const fail = (code: Code, rest: Omit<ConstructorParameters<typeof Failure>[0], "code"> = {}): Failure =>
  new Failure({ code, ...rest })

export const change = (field: string, suggestion: string): Hint => ({ field, action: "change", suggestion })

/** One bad field that a lane finds after decoding (an unknown station, a day in the future). */
export const invalid = (field: string, suggestion: string): Failure =>
  fail("invalid_parameter", { hints: [change(field, suggestion)] })

export const notFound = (detail: string, ...hints: ReadonlyArray<Hint>): Failure => fail("not_found", { detail, hints })
