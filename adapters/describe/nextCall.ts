import { fillPath } from "../../core/endpoint/path.ts"
import { type Code, codes, fail } from "../../core/Failure.ts"
import { key, wallet } from "../../core/lanes/account/endpoints.ts"
import { settlement } from "../../core/lanes/weather/endpoints.ts"
import { statusPath } from "./describe.ts"
import { capabilitiesPath } from "./manifests.ts"

/** The call by which a caller sees what to change, or when to come back. */
interface NextCall {
  /** With GET; free. */
  readonly path: string
  readonly why: string
}

const ofKey: NextCall = { path: key.path, why: "the key's scopes, caps and rate limit" }
const ofService: NextCall = { path: statusPath, why: "which sources are late, and since when" }
const ofCatalogue: NextCall = { path: capabilitiesPath, why: "every endpoint with its method, parameters and limits" }
const ofWallet: NextCall = { path: wallet.path, why: "the balance and the ways to pay" }
const checked: NextCall = {
  path: fillPath(settlement.path, { ...settlement.example, dry_run: true }),
  why: "with `dry_run=true` any call is checked for free",
}

const byStatus: Readonly<Record<number, NextCall>> = {
  400: checked,
  401: ofKey,
  402: ofWallet,
  403: ofKey,
  409: ofKey,
  422: ofKey,
  429: ofKey,
}

const byCode: Partial<Readonly<Record<Code, NextCall>>> = {
  account_suspended: ofService,
  agent_paused: ofService,
  payment_required: ofCatalogue,
  request_timeout: ofService,
}

/** The next call after an error. */
export const nextCall = (code: Code): NextCall => {
  const { status } = codes[code]
  return byCode[code] ?? byStatus[status] ?? (status >= 500 ? ofService : ofCatalogue)
}

/** Whether a failed call is to be tried again, in words. */
export const retryAdvice = (code: Code): string => {
  const { recoverable, remedies } = fail(code)
  if (!recoverable) return "Do not retry"
  return ["wait", "retry"].includes(remedies[0]!.action) ? "Retry after a pause" : "Fix and retry"
}
