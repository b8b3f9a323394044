export interface ContractRow {
  readonly contract: string
}

/** The readings of all venues with one of the open contracts; null without a contract or a reading. */
export interface OpenRow {
  readonly at: number | null
  readonly version: number | null
  readonly contract: string | null
}

export interface CapturedRow {
  readonly ticker: string
  readonly capture_id: string
  readonly at: number
}
