import * as Context from "effect/Context"
import type { Sha256 } from "./merkle.ts"

/** The platform's SHA-256, at once: the record hashes inside the step that stores. */
export class Hasher extends Context.Tag("core/record/Hasher")<Hasher, { readonly sha256: Sha256 }>() {}
