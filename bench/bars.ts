/** Bars that figures of a run are held against. */
export const make = () => {
  let missed = 0
  return {
    print: (text: string): void => void process.stdout.write(`${text}\n`),
    /** Prints a bar, and whether the figure keeps it. */
    bar: (name: string, value: number, isKept: boolean): void => {
      if (!isKept) missed++
      process.stdout.write(`${isKept ? "ok    " : "MISSED"} ${name}: ${value.toFixed(2)}\n`)
    },
    missed: (): number => missed,
  }
}
