import type { Checked } from "../../adapters/sql/copy/checks.ts"

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** What the checks of a store have found right, in lines. */
export const soundness = ({ wallets, leaves, checkpoint, settled }: Checked): ReadonlyArray<string> => [
  `Books: ${wallets} wallets equal their journals, and all ledgers together are 0.`,
  `Record: ${leaves} leaves match their hashes${checkpoint === undefined ? "" : `; the first ${checkpoint.size} give the last checkpoint's root ${checkpoint.root.slice(0, 12)}`}.`,
  `Scoreboard: ${settled} settled rows give the stored one.`,
]
