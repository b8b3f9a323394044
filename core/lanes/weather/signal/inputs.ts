import * as Effect from "effect/Effect"
import type { Failure } from "../../../Failure.ts"
import { perObject } from "../../../perObject.ts"
import {
  type MakeInputs,
  type Part,
  type RecordInputs,
  readShared,
  toPart,
  toText,
} from "../../../record/captures/RecordInputs.ts"
import { plain } from "../../../record/log/canonical.ts"
import type { Sha256 } from "../../../record/log/merkle.ts"
import type { OutlookInputs } from "./outlook.ts"

/** Inputs that several signals of a station share, stored under their own hashes. */
type Shared = "grid" | "states"
type StoredInputs = Omit<OutlookInputs, Shared> & Readonly<Record<Shared, string>>

/** A grid or states as stored, serialized once per object. */
const toSharedPart = perObject((value: object, sha256: Sha256): Part => toPart(toText(sha256, plain(value))))

export const serializeInputs =
  ({ grid, states, ...rest }: OutlookInputs): MakeInputs =>
  (sha256) => {
    const parts = [toSharedPart(grid, sha256), toSharedPart(states, sha256)] as const
    const kept = { ...rest, grid: parts[0].hash, states: parts[1].hash } satisfies StoredInputs
    return { ...toText(sha256, plain(kept)), putShared: parts }
  }

export const readInputs = (value: unknown): Effect.Effect<OutlookInputs, Failure, RecordInputs> => {
  const kept = value as StoredInputs
  return Effect.map(
    Effect.all({ grid: readShared(kept.grid), states: readShared(kept.states) }),
    (shared) => ({ ...kept, ...shared }) as OutlookInputs,
  )
}
