import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as secretBox from "../../../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../../../adapters/runtime/node/secrets.ts"
import * as sqlite from "../../../../adapters/store/engine/sqlite/open.ts"
import * as deliveryQueue from "../../../../adapters/store/events/DeliveryQueue.ts"
import * as sealedSecrets from "../../../../adapters/store/events/sealSecrets.ts"
import * as webhookStore from "../../../../adapters/store/events/WebhookStore.ts"
import { SecretBox } from "../../../../core/account/SecretBox.ts"
import { DeliveryQueue } from "../../../../core/events/DeliveryQueue.ts"
import { WebhookStore } from "../../../../core/events/WebhookStore.ts"
import { EntityTags } from "../../../../core/gateway/EntityTags.ts"
import { storeFile } from "../../../support/store.ts"

const now = 1_783_468_800_000
const [old, fresh] = ["whsec_b2xkIHNlY3JldCBvZiB0aGlzIHdlYmhvb2s=", "whsec_ZnJlc2ggc2VjcmV0IG9mIHRoaXMgaG9vaw=="]
const webhook = {
  id: "wh_1",
  accountId: "acct_1",
  url: "https://one.example/",
  events: ["agent.budget_warning"],
  status: "active",
  createdAt: now,
} as const

/** One process over a store and its key file: what it logged, and what a test did in it. */
const over = (file: string, options: { readonly mayReplace?: boolean; readonly key?: string } = {}) => {
  const log: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.map(Logger.logfmtLogger, (line) => void log.push(line)),
  )
  const key = options.key ?? `${file}.secrets-key`
  const layer = Layer.mergeAll(webhookStore.layer, deliveryQueue.layer, sealedSecrets.layerEntityTags).pipe(
    Layer.provideMerge(sealedSecrets.layer),
    Layer.provideMerge(
      Layer.mergeAll(sqlite.layer(file), secrets.layer, secretBox.layerFile(key, options.mayReplace ?? false)),
    ),
    Layer.provide(logger),
  )
  return {
    key,
    log,
    run: <A, E>(test: Effect.Effect<A, E, Layer.Layer.Success<typeof layer>>) =>
      Effect.provide(test, Layer.merge(Layer.fresh(layer), logger)),
  }
}

const made = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO accounts ${sql.insert({ id: "acct_1", name: "one", created_at: 1 })}`
  yield* (yield* WebhookStore).insert(webhook, Redacted.make(old), 10)
})

const rotated = Effect.flatMap(WebhookStore, (store) =>
  store.replaceSecret(webhook.id, Redacted.make(fresh), now + 1e9),
)

const event = (eventId: string) =>
  Effect.flatMap(WebhookStore, (store) =>
    store.queue([{ webhookId: webhook.id, eventId, type: "agent.budget_warning", cause: "test", at: now, body: "{}" }]),
  )

/** What is due, and with which secrets it would be signed. */
const taken = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  const { webhooks } = yield* queue.status(now)
  const all = yield* queue.recordAndLease({
    leaseOwner: "test",
    now,
    endedAttempts: [],
    leases: new Map([[webhook.id, 8]]),
    leaseMs: 30_000,
    windowMs: 86_400_000,
  })
  return { due: webhooks, secrets: all.map(({ secrets }) => secrets.map(Redacted.value)) }
})

const tag = Effect.flatMap(EntityTags, ({ of }) => of("q".repeat(64), "{}"))

const stored = (file: string): string =>
  [file, `${file}-wal`].map((part) => (existsSync(part) ? readFileSync(part).toString("latin1") : "")).join("")

describe("secrets in the store are sealed", () => {
  it.scoped("nothing of a webhook's secrets stands in the files; they sign as before, also after a restart", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const one = over(file)
      yield* one.run(Effect.zipRight(made, rotated))
      assert.strictEqual(statSync(one.key).mode & 0o777, 0o600)
      for (const secret of [old, fresh, old.slice(6), fresh.slice(6)]) assert.notInclude(stored(file), secret)
      const next = over(file)
      const found = yield* next.run(Effect.zipRight(event("evt_1"), taken))
      assert.deepStrictEqual(found, { due: [webhook.id], secrets: [[fresh, old]] })
      assert.deepStrictEqual([...one.log, ...next.log], [])
    }),
  )

  it.scoped("a lost key stops deliveries with a sentence, is not made anew, and costs nothing once it is back", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const one = over(file)
      const before = yield* one.run(Effect.zipRight(made, tag))
      renameSync(one.key, `${one.key}.kept`)
      const two = over(file)
      const found = yield* two.run(Effect.zipRight(event("evt_1"), Effect.zipLeft(taken, taken)))
      assert.deepStrictEqual(found, { due: [], secrets: [] })
      assert.isFalse(existsSync(one.key))
      const waits = two.log.filter((line) => line.includes("Webhook deliveries are waiting"))
      assert.lengthOf(waits, 1)
      assert.match(waits[0]!, /level=ERROR.*SECRETS_KEY_FILE.*SECRETS_KEY_NEW=yes.*rotate.*webhook=wh_1/)
      const error = yield* Effect.flip(two.run(rotated))
      assert.deepStrictEqual([error._tag === "Failure" && error.code], ["storage_unavailable"])
      renameSync(`${one.key}.kept`, one.key)
      const three = over(file)
      assert.deepStrictEqual(yield* three.run(taken), { due: [webhook.id], secrets: [[old]] })
      assert.strictEqual(yield* three.run(tag), before)
    }),
  )

  it.scoped("where the operator says so a new key is made; a webhook that is rotated delivers again", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const one = over(file)
      const before = yield* one.run(Effect.zipRight(made, tag))
      rmSync(one.key)
      const two = over(file, { mayReplace: true })
      const tags = yield* two.run(tag)
      assert.notStrictEqual(tags, before)
      assert.deepStrictEqual(yield* two.run(Effect.zipRight(event("evt_1"), taken)), { due: [], secrets: [] })
      assert.match(two.log.join("\n"), /sealed with another key.*rotate this secret/)
      yield* two.run(rotated)
      const three = over(file)
      assert.deepStrictEqual(yield* three.run(taken), { due: [webhook.id], secrets: [[fresh]] })
      assert.strictEqual(yield* three.run(tag), tags)
    }),
  )

  it.scoped("a key that others can read, or that is none, seals nothing", () =>
    Effect.gen(function* () {
      const file = yield* storeFile
      const one = over(file)
      yield* one.run(made)
      chmodSync(one.key, 0o644)
      const two = over(file)
      assert.deepStrictEqual(yield* two.run(Effect.zipRight(event("evt_1"), taken)), { due: [], secrets: [] })
      assert.match(two.log.join("\n"), /can be read by others.*chmod 600/)
      const three = over(file, { key: file })
      assert.deepStrictEqual(yield* three.run(taken), { due: [], secrets: [] })
      assert.match(three.log.join("\n"), /does not contain a secrets key/)
    }),
  )

  it.effect("a seal opens in its own place alone, whole, and twice the same secret gives two seals", () =>
    Effect.gen(function* () {
      const box = yield* SecretBox
      const secret = Redacted.make("a secret")
      const sealed = Either.getOrThrow(box.seal("webhook a", secret))
      assert.strictEqual(Redacted.value(Either.getOrThrow(box.open("webhook a", sealed))), "a secret")
      assert.notStrictEqual(Either.getOrThrow(box.seal("webhook a", secret)), sealed)
      const last = sealed.slice(-1)
      for (const [place, text] of [
        ["webhook b", sealed],
        ["webhook a", sealed.slice(0, -1) + (last === "A" ? "Q" : "A")],
        ["webhook a", sealed.slice(0, -4)],
        ["webhook a", sealed.split(".").slice(0, 2).join(".")],
        ["webhook a", sealed.replace(/\.[0-9a-f]{8}\./, ".00000000.")],
        ["webhook a", ""],
        ["webhook a", "sealed1.."],
      ] as const) {
        const error = Either.getOrThrow(Either.flip(box.open(place, text)))
        assert.strictEqual(error.reason, "other_key", text)
        assert.notInclude(error.message, "a secret")
      }
    }).pipe(Effect.provide(secretBox.layerMemory)),
  )
})
