import type { Contract, Priced } from "../contract.ts"

/** The signal that a contract is priced from. */
export interface Asked<Params> {
  /** What the signal is about; contracts with one subject are priced from one signal. */
  readonly subject: string
  readonly instrument: string
  readonly params: Params
}

/** What of a signal's answer prices contracts, and is recorded. */
export interface Told<Output> {
  readonly output: Output
  readonly modelVersion: string
  readonly modelSource: string
  /** Whether the venue settles this contract on the model's own source. */
  readonly isSame: (contract: Contract) => boolean
  readonly flags: ReadonlyArray<string>
  /** What the signal calls its subject, where the venue has no name for that: a game's id. */
  readonly subject?: string
}

/**
 * How the contracts of one domain are priced by one lane's signal, and what came true of them by the source that the
 * signal is about. Pure.
 */
export interface Mapping<Params, Output, Value = never> {
  readonly domain: Contract["domain"]
  readonly lane: string
  /** The id of the signal's endpoint. */
  readonly endpoint: string
  /** Undefined for a contract that we have no model of, or do not understand: it is left out, never guessed at. */
  readonly ask: (contract: Contract, now: number) => Asked<Params> | undefined
  /** The probability of yes; undefined where the output has no say. */
  readonly probability: (contract: Contract, output: Output) => number | undefined
  /**
   * Whether a contract came true, given the value: what `probability` would be for a signal that is certain of it.
   * Undefined where the value decides nothing, and for a contract that we do not understand.
   */
  readonly happened: (contract: Contract, value: Value) => boolean | undefined
}

/** Contract and opinion as one row. */
export const priced = (
  contract: Contract,
  { subject, instrument }: Asked<unknown>,
  told: Omit<Told<unknown>, "output">,
  lane: string,
  model: number,
): Priced => ({
  ...contract,
  instrument,
  lane,
  subject: told.subject ?? subject,
  model,
  modelVersion: told.modelVersion,
  basis: { modelSource: told.modelSource, venueSource: contract.settlesOn, same: told.isSame(contract) },
  flags: told.flags,
})
