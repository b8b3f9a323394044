// `npm run docs` records the answers that the OpenAPI document shows as examples: those of a server with generated data,
// on a fixed day, to the document's own examples of parameters. A test compares them.
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Examples } from "../../adapters/describe/examples.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { isObject } from "../../core/endpoint/jsonSchema.ts"
import { catalogue } from "../../core/lanes/all.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { Signer } from "../../core/record/log/Signer.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { manageScope } from "../../core/rights/Rights.ts"
import { clockAt } from "./clock.ts"
import { leaves, origin } from "./record.ts"
import { type Running, start } from "./running.ts"

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string; readonly example?: unknown }>
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } }
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>
}

/** Noon in Chicago on a Friday on which baseball and football are played. */
const now = Date.UTC(2026, 8, 11, 17)

/** A document has no example of itself. */
const left = new Set(["openapi_json"])
/** Lines kept of a text, by media type; other texts are not recorded. */
const kept: Readonly<Record<string, number>> = { "text/csv": 3, "application/x-ndjson": 2, "text/plain": 100 }
const [most, mostWords] = [2, 12]
const isJson = (type: string): boolean => /^application\/(\w+\+)?json$/.test(type)

/** The same value with few items in every list and every table of numbers. */
const cut = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.slice(0, value.every((item) => typeof item === "string") ? mostWords : most).map(cut)
  }
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const isTable = entries.length > mostWords && entries.every(([name]) => /^-?\d+$/.test(name))
  return Object.fromEntries(entries.slice(0, isTable ? most : entries.length).map(([name, each]) => [name, cut(each)]))
}

/** Random ids as zeros, and the digest of the document that shows the example. */
const steady = (text: string, digest: string): string =>
  text
    .replace(/\b(req|key|acct|agt|alt|whk)_[0-9A-HJKMNP-TV-Z]{26}\b/g, `$1_${"0".repeat(26)}`)
    .replace(/\bwhsec_[\w+/=-]+/g, `whsec_${"0".repeat(32)}`)
    .replaceAll(digest, "0".repeat(64))

/** Signs with a key that is no secret. */
const signer: typeof Signer.Service = (() => {
  const [pkcs8, seed] = [Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]
  const secret = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" })
  const publicKey = createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32)
  const key = Effect.succeed({ name: origin, publicKey })
  return { key, existing: key, sign: (message) => Effect.sync(() => sign(null, message, secret)), mayReplace: false }
})()

const recordable = ({ responses }: Operation): ReadonlyArray<string> =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    /^20\d$/.test(status) ? Object.keys(content).filter((type) => isJson(type) || type in kept) : [],
  )

/** The answer to an operation's example as text of a media type. */
const answered = async (
  service: Running,
  path: string,
  method: string,
  { parameters = [], requestBody, security }: Operation,
  type: string,
  token: string,
  made: ReadonlyMap<string, string>,
): Promise<string> => {
  let target = path
  const query = new URLSearchParams()
  for (const { name, in: place, example } of parameters) {
    if (place === "path") target = target.replace(`{${name}}`, made.get(name) ?? String(example))
    if (place === "query" && example !== undefined) query.set(name, String(example))
  }
  const response = await fetch(`${service.url}${query.size === 0 ? target : `${target}?${query}`}`, {
    method: method.toUpperCase(),
    headers: {
      accept: type,
      "accept-encoding": "identity",
      ...(security.length === 0 ? {} : { authorization: `Bearer ${token}` }),
      ...(requestBody === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(requestBody === undefined ? {} : { body: JSON.stringify(requestBody.content["application/json"].example) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${target} answered ${response.status}: ${text.slice(0, 300)}`)
  return text
}

/** Runs a server and records its answers. */
export const record = async (): Promise<Examples> => {
  const http = { host: "127.0.0.1", port: 0, baseUrl: Option.some("https://api.example.com") }
  const service = await start(
    { http, webhooks: { allowHosts: ["hooks.example.com"] } },
    { clock: clockAt(now), balance: 10_000_000 },
  )
  try {
    await service.run(
      Effect.zipRight(
        Effect.flatMap(RecordLog, (log) => log.append(leaves(0, 1))),
        Effect.provideService(signCheckpoint, Signer, signer),
      ),
    )
    const { text, json } = await service.get("/openapi.json", "")
    const digest = createHash("sha256").update(text).digest("hex")
    const manager = await service.run(
      Effect.flatMap(Accounts, (accounts) =>
        accounts.issueKey({
          account: service.account.id,
          environment: "live",
          scopes: [...catalogue.lanes.map(({ name }) => name), manageScope],
        }),
      ),
    )
    /** The ids of what was made, by the parameter that names it. */
    const made = new Map<string, string>()
    const found: Record<string, Record<string, unknown>> = {}
    for (const [path, item] of Object.entries(json.paths as Readonly<Record<string, Record<string, Operation>>>)) {
      for (const [method, operation] of Object.entries(item)) {
        if (left.has(operation.operationId)) continue
        for (const type of recordable(operation)) {
          const token = operation.tags.includes(manageScope)
            ? Redacted.value(manager.plaintext)
            : service.account.live.token
          const text = await answered(service, path, method, operation, type, token, made)
          const [, what] = /^(\w+)s_create$/.exec(operation.operationId) ?? []
          if (what !== undefined) made.set(what, JSON.parse(text).results.id)
          const body = steady(text, digest)
          const value = isJson(type) ? cut(JSON.parse(body)) : body.split("\n").slice(0, kept[type]).join("\n")
          found[operation.operationId] = { ...found[operation.operationId], [type]: value }
        }
      }
    }
    return found
  } finally {
    await service.stop()
  }
}

/** One operation per line. */
export const written = (examples: Examples): string =>
  `{\n${Object.entries(examples)
    .map(([id, own]) => `  ${JSON.stringify(id)}: ${JSON.stringify(own)}`)
    .join(",\n")}\n}\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL("../../adapters/describe/examples.json", import.meta.url), written(await record()))
}
