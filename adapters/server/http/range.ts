/** The bytes of a file that a `Range` header asks for (RFC 9110, 14.2), both ends included. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const form = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i

/** The ends of a single range. Other headers, and several ranges, are ignored: the answer is the whole file. */
const parseEnds = (header: string | undefined): readonly [first: string, last: string] | undefined => {
  const [, first = "", last = ""] = form.exec(header ?? "") ?? []
  const isOrdered = first === "" || last === "" || Number(first) <= Number(last)
  return (first === "" && last === "") || !isOrdered ? undefined : [first, last]
}

/** @returns undefined: no range; "none": a range outside the file */
export const parse = (header: string | undefined, bytes: number): ByteRange | "none" | undefined => {
  const found = parseEnds(header)
  if (found === undefined) return undefined
  const [first, last] = found
  const span =
    first === ""
      ? { first: Math.max(0, bytes - Number(last)), last: bytes - 1 }
      : { first: Number(first), last: last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1) }
  return span.first <= span.last ? span : "none"
}

/** The largest range that counts against the limit of calls instead of that of whole files. */
const maxPieceBytes = 1_048_576

export const isPiece = (header: string | undefined): boolean => {
  const [first, last] = parseEnds(header) ?? []
  if (first === undefined || last === undefined || last === "") return false
  return (first === "" ? Number(last) : Number(last) - Number(first) + 1) <= maxPieceBytes
}
