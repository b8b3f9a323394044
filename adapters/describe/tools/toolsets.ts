import * as Either from "effect/Either"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { manageScope } from "../../../core/rights/Rights.ts"

/** The toolsets of tools: lanes, and `manage`. */
export const names = (tools: ReadonlyArray<Membership>): ReadonlyArray<string> => [
  ...new Set(tools.flatMap(({ toolset }) => toolset ?? [])),
]

/** Whether a server's selection has the tools of `manage`. */
export const manages = (toolsets: ReadonlyArray<string> = []): boolean =>
  toolsets.length === 0 || toolsets.includes(manageScope)

/**
 * Reads a comma-separated list of toolsets.
 *
 * @returns undefined for an empty list, which selects all; Left: the message for the caller
 */
export const read = (
  known: ReadonlyArray<string>,
  text: string,
): Either.Either<ReadonlySet<string> | undefined, string> => {
  const given = text.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]))
  const unknown = given.filter((each) => !known.includes(each))
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 8).map((each) => JSON.stringify(each.slice(0, 32)))
    return Either.left(`Unknown toolset ${shown.join(", ")}. Toolsets: ${known.join(", ")}.`)
  }
  return Either.right(given.length === 0 ? undefined : new Set(given))
}

/** The same catalogue with some of its lanes; all of them if none is named. */
export const narrow = (catalogue: Catalogue.Any, toolsets: ReadonlyArray<string> = []): Catalogue.Any =>
  toolsets.length === 0 ? catalogue : Catalogue.make(...catalogue.lanes.filter(({ name }) => toolsets.includes(name)))

/** A caller's selection of tools. */
export interface View {
  /** The selected toolsets; absent: all. */
  readonly toolsets?: ReadonlySet<string> | undefined
  /** The scopes of the caller's key; absent: all. */
  readonly scopes?: ReadonlyArray<string> | undefined
}

/** A tool's toolset, and whether it needs a key: both decide whether it is listed. */
export interface Membership {
  /** Its toolset; absent: in every one. */
  readonly toolset?: string
  /** Whether a call needs a key. */
  readonly isKeyed: boolean
}

/** Whether a tool is in the selection, whatever the key's scopes. */
export const isSelected = ({ toolset }: Membership, { toolsets }: View): boolean =>
  toolset === undefined || toolsets === undefined || toolsets.has(toolset)

/** Whether a tool is listed: selected, and callable with the key's scopes. */
export const isListed = (tool: Membership, view: View): boolean => {
  const { toolset, isKeyed } = tool
  const { scopes, toolsets } = view
  if (toolset === undefined || !isKeyed) return isSelected(tool, view)
  // No key has this scope by default, so that few clients carry its tools.
  const isDefault = toolset !== manageScope || toolsets?.has(toolset) === true
  return isSelected(tool, view) && (scopes === undefined ? isDefault : scopes.includes(toolset))
}
