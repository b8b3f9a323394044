import type * as Board from "../../../core/record/scoreboard/board.ts"

export interface State {
  readonly format: number
  readonly version: number
  readonly settled_at: number | null
}

export interface CellRow {
  readonly kind: keyof Board.Board
  readonly name: string
  readonly sums: string
}

/** The scoreboard with one of its cells; nulls without a cell. */
export type BoardRow = State & { readonly [K in keyof CellRow]: CellRow[K] | null }

/** Puts a stored cell into a board. */
export const putCell = (board: Board.Board, { kind, name, sums }: CellRow): void => {
  ;(board[kind] as Map<string, unknown>).set(name, JSON.parse(sums))
}
