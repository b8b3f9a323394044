/** The counts of a run of Vitest. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  /** Test files with how many of their tests are skipped. */
  readonly skipped: Readonly<Record<string, number>>
}

/** A command of a test run that has ended. */
export interface Ended {
  readonly name: string
  readonly seconds: number
  readonly counts: Counts
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, each) => total + each, 0)
const skippedIn = ({ skipped }: Counts): number => sum(Object.values(skipped))
const shown = (passed: number, failed: number, skipped: number): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`

/**
 * What ran, each file with skipped tests, and the sum as the last line. Red where something failed, where more than `most`
 * tests are skipped, and, with such a bound, where a command had nothing to run: its tests are missing whole.
 */
export const summary = (
  ended: ReadonlyArray<Ended>,
  most: number,
): { readonly text: string; readonly isRed: boolean } => {
  const lines = ended.flatMap(({ name, seconds, counts }) => {
    const numbers = shown(counts.passed, counts.failed, skippedIn(counts))
    return [
      `${name.padEnd(26)} ${seconds.toFixed(0).padStart(5)} s  ${numbers}`,
      ...Object.entries(counts.skipped).map(([file, count]) => `  skipped: ${count} of ${file}`),
    ]
  })
  const empty = ended.filter(({ counts }) => counts.passed + counts.failed === 0).map(({ name }) => name)
  const passed = sum(ended.map(({ counts }) => counts.passed))
  const failed = sum(ended.map(({ counts }) => counts.failed))
  const skipped = sum(ended.map(({ counts }) => skippedIn(counts)))
  const isOver = skipped > most || (most < Infinity && empty.length > 0)
  if (empty.length > 0) lines.push(`nothing was run: ${empty.join(", ")}`)
  if (isOver) lines.push(`too much is skipped: at most ${most} tests may be, and no step whole`)
  return { text: [...lines, "", shown(passed, failed, skipped), ""].join("\n"), isRed: failed > 0 || isOver }
}
