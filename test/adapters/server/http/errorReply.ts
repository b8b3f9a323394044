import { assert } from "@effect/vitest"
import type { Running } from "../../../support/running.ts"
import type { Answered } from "./exchange.ts"

export interface Expected {
  readonly status: number
  readonly code: string
  readonly recoverable: boolean
  /** `action field` of each, sorted; not given: none. */
  readonly hints?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

export const unauthorized = (code: string, recoverable = true): Expected => ({
  status: 401,
  code,
  recoverable,
  headers: { "www-authenticate": "Bearer" },
  ...(code === "missing_authorization" ? { hints: ["add Authorization"] } : {}),
})
export const invalid = (...hints: ReadonlyArray<string>): Expected => ({
  status: 400,
  code: "invalid_parameter",
  recoverable: true,
  hints,
})

export const answered = async (response: Response): Promise<Answered> => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  text: await response.text(),
})

/** The pages of error codes that were looked at, by address. */
const pages = new Map<string, Promise<void>>()

/** Rules of every error, whatever its code. */
export const wellFormed = async (
  url: string,
  { status, headers, text }: Answered,
  expected: Expected,
): Promise<void> => {
  assert.strictEqual(status, expected.status, text)
  const { error, ...rest } = JSON.parse(text)
  assert.deepStrictEqual(rest, {})
  const { code, message, recoverable, retry_after_ms, docs_url, request_id, hints, ...more } = error
  assert.deepStrictEqual({ code, recoverable, retry_after_ms }, {
    code: expected.code,
    recoverable: expected.recoverable,
    retry_after_ms: null,
  } as const)
  assert.deepStrictEqual(Object.keys(more), expected.status === 402 ? ["quote"] : [])
  assert.isTrue(typeof message === "string" && message !== "")
  assert.match(request_id, /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.strictEqual(headers["x-request-id"], request_id)
  for (const { suggestion } of hints) assert.isTrue(typeof suggestion === "string" && suggestion !== "")
  assert.deepStrictEqual(
    hints.map(({ action, field }: Record<string, string>) => `${action} ${field}`).sort(),
    [...(expected.hints ?? [])].sort(),
  )
  assert.strictEqual(headers["content-type"], "application/json; charset=utf-8")
  assert.strictEqual(headers["cache-control"], "no-store")
  assert.strictEqual(headers["access-control-allow-origin"], "*")
  assert.strictEqual(headers["content-length"], String(text.length))
  assert.isUndefined(headers["retry-after"])
  for (const [name, value] of Object.entries(expected.headers ?? {})) assert.strictEqual(headers[name], value)

  const { pathname } = new URL(docs_url)
  assert.strictEqual(pathname, `/errors/${code}`)
  const page = url + pathname
  if (!pages.has(page)) pages.set(page, served(page, code))
  await pages.get(page)
}

const served = async (url: string, code: string): Promise<void> => {
  const page = await fetch(url)
  assert.strictEqual(page.status, 200)
  assert.match(page.headers.get("content-type")!, /^text\/html/)
  assert.include(await page.text(), `<h1><code>${code}</code></h1>`)
}

/** No charge and no journal row. */
export const assertUnbilled = async (service: Running): Promise<void> => {
  assert.deepStrictEqual([await service.balance(), await service.charges()], [1_000_000, 0])
}
