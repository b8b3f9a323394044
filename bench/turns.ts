// Measures and prints how long works take, and how long they keep the event loop.

/** The longest time in which the event loop did not turn. */
export const longest = async (work: () => Promise<unknown>): Promise<number> => {
  let [most, last, isOver] = [0, performance.now(), false]
  const tick = () => {
    const at = performance.now()
    most = Math.max(most, at - last)
    last = at
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isOver = true
  await new Promise((done) => setImmediate(done))
  return most
}

export const quantile = (values: ReadonlyArray<number>, q: number): string =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * q))]!.toFixed(1)

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints the median and the 95th percentile. */
export const say = (name: string, values: ReadonlyArray<number>, more = ""): void =>
  print(`${name.padEnd(56)} p50 ${quantile(values, 0.5)} ms, p95 ${quantile(values, 0.95)} ms${more}`)

export const times = async (count: number, work: () => Promise<number>): Promise<ReadonlyArray<number>> => {
  const all: Array<number> = []
  for (let n = 0; n < count; n++) all.push(await work())
  return all
}
