/** A part of a list that is read newest first. */
export interface Page<Key = string> {
  /** The key of a row, such as its id: only older ones. Absent: from the newest. */
  readonly cursor?: Key
  readonly limit: number
}
