import { distance, nearest } from "../../core/endpoint/nearest.ts"
import { variables } from "./variables.ts"

const variableNames = variables.map(({ name }) => name)
const names = new Set(variableNames)

/** Short names are near to those of other programs. */
const shortest = 8

/**
 * The variables that are one or two letters away from one of ours: a setting that is not read must not look as if it
 * were.
 */
export const misspelled = (given: Iterable<string>): ReadonlyArray<readonly [string, string]> =>
  [...given].flatMap((name) => {
    if (names.has(name) || name.length < shortest) return []
    const near = nearest(variableNames, name, distance, 2)
    return near === undefined || near.length < shortest ? [] : [[name, near] as const]
  })
