/** The bytes of a file that a `Range` header asks for (RFC 9110, 14.2), both ends included. */
export interface Span {
  readonly first: number
  readonly last: number
}

const form = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i

/** Of one range. Several, and what is none, are as if they were not there: the answer is the whole. */
const ends = (header: string | undefined): readonly [first: string, last: string] | undefined => {
  const [, first = "", last = ""] = form.exec(header ?? "") ?? []
  const isOrdered = first === "" || last === "" || Number(first) <= Number(last)
  return (first === "" && last === "") || !isOrdered ? undefined : [first, last]
}

/** @returns undefined: no range; "none": one that no byte of the file is in */
export const read = (header: string | undefined, bytes: number): Span | "none" | undefined => {
  const found = ends(header)
  if (found === undefined) return undefined
  const [first, last] = found
  const span =
    first === ""
      ? { first: Math.max(0, bytes - Number(last)), last: bytes - 1 }
      : { first: Number(first), last: last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1) }
  return span.first <= span.last ? span : "none"
}

/** Most bytes of a range that counts as a call, where whole files have a limit of their own. */
const pieceBytes = 1_048_576

export const isPiece = (header: string | undefined): boolean => {
  const [first, last] = ends(header) ?? []
  if (first === undefined || last === undefined || last === "") return false
  return (first === "" ? Number(last) : Number(last) - Number(first) + 1) <= pieceBytes
}
