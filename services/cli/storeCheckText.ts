import type { Checked } from "../../adapters/store/upkeep/copy/checks.ts"

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

type StoreCheck = Omit<Checked, "charges" | "unfolded"> & {
  readonly [Name in "charges" | "unfolded"]?: number | undefined
}

/** What the checks of a store have found right, in lines. */
export const storeCheckText = ({
  wallets,
  charges,
  unfolded,
  leaves,
  checkpoint,
  settled,
}: StoreCheck): ReadonlyArray<string> => [
  `Books: ${wallets} wallets equal their journals, and all ledgers together are 0.`,
  // Backups of before do not say.
  ...(charges === undefined
    ? []
    : [
        `Charges: ${charges + (unfolded ?? 0)} of the trail have one posting each${unfolded ? `; the wallets of ${unfolded} can pay them, and do with the next fold` : ""}.`,
      ]),
  `Record: ${leaves} leaves match their hashes${checkpoint === undefined ? "" : `; the first ${checkpoint.size} give the last checkpoint's root ${checkpoint.root.slice(0, 12)}`}.`,
  `Scoreboard: ${settled} settled rows give the stored one.`,
]
