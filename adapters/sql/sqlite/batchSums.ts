/**
 * Sums per key and span of time, such as a month, that the calls of a batch gather and that are written once each. Call
 * `flush` at the end of a batch, and `forget` when it was rolled back.
 */
export const make = <Span, Sum>(write: (keyId: string, span: Span, sum: Sum) => void) => {
  const batch = new Map<string, { readonly span: Span; readonly sum: Sum }>()
  return {
    /** The sum of this batch, to be added to; one of another span is written before. */
    of: (keyId: string, span: Span, begin: () => Sum): Sum => {
      const before = batch.get(keyId)
      if (before?.span === span) return before.sum
      if (before !== undefined) write(keyId, before.span, before.sum)
      const sum = begin()
      batch.set(keyId, { span, sum })
      return sum
    },
    flush: (): void => {
      for (const [keyId, { span, sum }] of batch) write(keyId, span, sum)
      batch.clear()
    },
    forget: (): void => batch.clear(),
  }
}
