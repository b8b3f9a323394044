/** The caller's span, from the header `traceparent` of W3C Trace Context. */
export interface Traceparent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

const pattern = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

const isZero = (id: string): boolean => /^0+$/.test(id)

/** Parses the header; undefined if it is absent or malformed, as the specification requires. */
export const parse = (header: string | undefined): Traceparent | undefined => {
  if (header === undefined || header.length > 256) return undefined
  const [, traceId, spanId, flags] = pattern.exec(header) ?? []
  if (traceId === undefined || isZero(traceId) || isZero(spanId!)) return undefined
  // Version 00 has nothing after the flags.
  if (header.startsWith("00") && header.length !== 55) return undefined
  return { traceId, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & 1) === 1 }
}
