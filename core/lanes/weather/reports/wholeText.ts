/**
 * Whether a text product has its end. Half of a report can be read without complaint and lack its low, or a digit; but the
 * reports of our stations close with `$$`, below the last table.
 */
export const isWhole = (text: string): boolean => {
  const end = text.lastIndexOf("$$")
  return end >= 0 && end > text.lastIndexOf("WEATHER ITEM")
}
