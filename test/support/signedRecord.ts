import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import * as signer from "../../adapters/runtime/node/signer.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { leaves, origin } from "./record.ts"

const noon = Date.parse("2026-07-08T12:00:00Z")
const sealed = { seal: { until: Date.parse("2199-01-01T00:00:00Z"), salt: "00".repeat(16) } }

/** Puts leaves on a service's record, the last one sealed for long, and signs a checkpoint over them. */
export const signedRecord = (total: number) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(noon)
    const log = yield* RecordLog
    yield* log.append(leaves(0, total - 1))
    yield* log.append(leaves(total - 1, total, sealed))
    yield* signCheckpoint
  }).pipe(Effect.provide(Layer.merge(signer.layerMemory(origin), TestContext.TestContext)))
