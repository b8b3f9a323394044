import { createHash } from "node:crypto"
import * as Layer from "effect/Layer"
import { SyncSha256 } from "../../../core/record/log/SyncSha256.ts"

/** OpenSSL through node:crypto, which Deno and Bun support too. */
export const layer: Layer.Layer<SyncSha256> = Layer.succeed(SyncSha256, {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
})
