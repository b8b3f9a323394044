// One attack in a process of its own, so that its cost does not slow the measurement. Arguments: the attack's name and
// its resources as JSON. Prints the results.
import { attacks } from "./attacks.ts"

const [name, given] = process.argv.slice(2)
const { seconds, ...arms } = JSON.parse(given!) as {
  readonly url: string
  readonly key?: string
  readonly keys: { readonly poor: string; readonly others: ReadonlyArray<string> }
  readonly seconds: number
}
const seen = new Map<string, number>()
await attacks
  .find((one) => one.name === name)!
  .run({
    ...arms,
    key: arms.key,
    until: performance.now() + seconds * 1_000,
    saw: (what) => void seen.set(String(what), (seen.get(String(what)) ?? 0) + 1),
  })
process.stdout.write([...seen].map(([what, count]) => (count === 1 ? what : `${count} × ${what}`)).join(", "))
process.exit(0)
