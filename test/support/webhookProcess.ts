/**
 * A sender that a test kills: `<file> <host> <account> <key> <agent>`. Says `ready`, waits for a line, then delivers what
 * the store holds to a receiver on `host`, and meanwhile charges the agent to its cap in one month after the other,
 * saying each month whose charge has returned. Its schedule is that of a receiver nobody has patience with.
 */
import { once } from "node:events"
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../adapters/node/hasher.ts"
import * as secrets from "../../adapters/node/secrets.ts"
import * as deliveryQueue from "../../adapters/sql/DeliveryQueue.ts"
import * as ledger from "../../adapters/sql/Ledger.ts"
import * as sqlite from "../../adapters/sql/sqlite.ts"
import * as client from "../../adapters/webhooks/client.ts"
import * as worker from "../../adapters/webhooks/worker.ts"
import { charge } from "./settlement.ts"
import { boxOf } from "./webhooks.ts"

const options: worker.Options = {
  schedule: {
    offsetsMs: Array.from({ length: 1_000 }, (_, n) => n * 30),
    windowMs: 3_600_000,
    restMs: 5,
    jitter: 0.1,
  },
  leaseMs: 400,
  pollMs: 20,
  paceMs: 5,
}

const [file, host, accountId, keyId, agentId] = process.argv.slice(2) as [string, string, string, string, string]

const charging = Effect.forEach(
  Array.from({ length: 600 }, (_, month) => month + 1),
  (month) =>
    Effect.zipRight(
      charge({
        accountId,
        keyId,
        agentId,
        micros: 1_000,
        at: Date.UTC(1970, month, 1),
        requestId: `${agentId}_${month}`,
      }),
      Effect.delay(
        Effect.sync(() => writeSync(1, `${agentId} ${month}\n`)),
        "10 millis",
      ),
    ),
  { discard: true },
)

writeSync(1, "ready\n")
await once(process.stdin, "data")
await Effect.runPromise(
  Effect.zipRight(charging, Effect.never).pipe(
    Effect.provide(
      Layer.merge(
        Layer.provide(ledger.layer, hasher.layer),
        worker
          .layer(options)
          .pipe(Layer.provide([client.layer({ allowHosts: [host], timeoutMs: 150 }), deliveryQueue.layer])),
      ).pipe(Layer.provide([secrets.layer, sqlite.layer(file), boxOf(file)])),
    ),
  ),
)
