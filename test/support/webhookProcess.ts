/**
 * A sender that a test kills: `<file or URL> <host> <account> <key> <agent> <key file>`. Says `ready`, waits for a line, then delivers what
 * the store holds to a receiver on `host`, and meanwhile charges the agent to its cap in one month after the other,
 * saying each month whose charge has returned. Its schedule is that of a receiver nobody has patience with.
 */
import { once } from "node:events"
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import * as secretBox from "../../adapters/runtime/node/secretBox.ts"
import * as secrets from "../../adapters/runtime/node/secrets.ts"
import * as client from "../../adapters/server/webhooks/client.ts"
import * as worker from "../../adapters/server/webhooks/worker.ts"
import * as deliveryQueue from "../../adapters/store/events/DeliveryQueue.ts"
import * as stores from "../../adapters/store/open.ts"
import { storeAt } from "./place.ts"
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

const [place, host, accountId, keyId, agentId, keyFile] = process.argv.slice(2) as [
  ...[place: string, host: string, accountId: string, keyId: string, agentId: string],
  keyFile: string | undefined,
]

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
        // Three of them write to one receiver.
        keyFile === undefined ? "10 millis" : "60 millis",
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
        Layer.provide(stores.ledger, hasher.layer),
        worker
          .layer(options)
          .pipe(Layer.provide([client.layer({ allowHosts: [host], timeoutMs: 150 }), deliveryQueue.layer])),
      ).pipe(
        Layer.provide([
          secrets.layer,
          storeAt(place),
          keyFile === undefined ? boxOf(place) : secretBox.layerFile(keyFile),
        ]),
      ),
    ),
  ),
)
