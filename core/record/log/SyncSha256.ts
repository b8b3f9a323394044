import * as Context from "effect/Context"
import type { Sha256 } from "./merkle.ts"

/** The platform's synchronous SHA-256: the record hashes inside a store transaction. */
export class SyncSha256 extends Context.Tag("market-signals/core/record/SyncSha256")<
  SyncSha256,
  { readonly sha256: Sha256 }
>() {}
