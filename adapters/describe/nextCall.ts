import { fillPath } from "../../core/endpoint/path.ts"
import { type Code, codes } from "../../core/Failure.ts"
import { key, wallet } from "../../core/lanes/account/endpoints.ts"
import { settlement } from "../../core/lanes/weather/endpoints.ts"
import { capabilitiesPath, getKeyPath, statusPath } from "./paths.ts"

/**
 * The call that shows a caller what to change, or when to come back. It succeeds with the same key, after a 401 without one;
 * while an agent or account is stopped it fails too.
 */
interface NextCall {
  /** With GET; free. */
  readonly path: string
  readonly why: string
}

const keyCall: NextCall = { path: key.path, why: "the key's scopes, caps and rate limit" }
const stoppedCall: NextCall = { path: key.path, why: "fails in the same way until a person ends the stop" }
const newKeyCall: NextCall = { path: getKeyPath, why: "how to get a key; the page needs none" }
const statusCall: NextCall = { path: statusPath, why: "which sources are late, and since when" }
const catalogueCall: NextCall = { path: capabilitiesPath, why: "every endpoint with its method, parameters and limits" }
const walletCall: NextCall = { path: wallet.path, why: "the balance and the ways to pay" }
const dryRunCall: NextCall = {
  path: fillPath(settlement.path, { ...settlement.example, dry_run: true }),
  why: "with `dry_run=true` any call is checked for free",
}

const callByStatus: Readonly<Record<number, NextCall>> = {
  400: dryRunCall,
  401: newKeyCall,
  402: walletCall,
  403: keyCall,
  409: keyCall,
  422: keyCall,
  429: keyCall,
}

const callByCode: Partial<Readonly<Record<Code, NextCall>>> = {
  account_suspended: stoppedCall,
  agent_paused: stoppedCall,
  payment_required: catalogueCall,
  request_timeout: statusCall,
}

/** The next call after an error. */
export const nextCall = (code: Code): NextCall => {
  const { status } = codes[code]
  return callByCode[code] ?? callByStatus[status] ?? (status >= 500 ? statusCall : catalogueCall)
}

/** Whether a failed call should be repeated, as text. */
export const retryAdvice = (code: Code): string => {
  const row = codes[code]
  if (!row.recoverable) return "Do not retry"
  return ["wait", "retry"].includes(row.remedy?.[1] ?? "") ? "Retry after a pause" : "Fix and retry"
}
