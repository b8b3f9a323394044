import { ifDefined } from "../../../core/ifDefined.ts"

/** How well something does, the worst first. */
export const tones = ["stopped", "attention", "waiting", "ok"] as const
export type Tone = (typeof tones)[number]

/** The shape of a tone: nothing that is read depends on colour alone. */
export const marks: Readonly<Record<Tone, string>> = { stopped: "■", attention: "▲", waiting: "○", ok: "●" }

/** The state of a thing, as every page that shows it says it. */
export interface Condition {
  readonly tone: Tone
  /** The state in a few words, such as `cap reached, resets 1 Dec`. */
  readonly label: string
  /**
   * The reason, as a clause after the thing's name and a colon. Absent: all is well, or somebody chose this state, such as
   * by a pause: there is nothing to mend.
   */
  readonly cause?: string
  /** Where it is mended. */
  readonly next?: { readonly label: string; readonly href: string }
}

export const ok = (label: string): Condition => ({ tone: "ok", label })

export const waiting = (label: string): Condition => ({ tone: "waiting", label })

const trouble =
  (tone: Tone) =>
  (label: string, cause?: string, next?: Condition["next"]): Condition => ({
    tone,
    label,
    ...ifDefined("cause", cause),
    ...ifDefined("next", next),
  })

export const stopped = trouble("stopped")

export const attention = trouble("attention")

/** A condition and whose it is. */
export interface Named {
  readonly name: string
  readonly condition: Condition
}

/** Whether it needs action. */
export const isUrgent = ({ tone, cause }: Condition): boolean =>
  cause !== undefined && (tone === "stopped" || tone === "attention")

/** The order of two conditions: the worse one first. */
export const worseFirst = (one: Condition, other: Condition): number =>
  tones.indexOf(one.tone) - tones.indexOf(other.tone)

/** The conditions that need action, the worst first; equal ones keep their order. */
export const urgentFirst = (all: ReadonlyArray<Named>): ReadonlyArray<Named> =>
  all
    .filter(({ condition }) => isUrgent(condition))
    .toSorted((one, other) => worseFirst(one.condition, other.condition))
