// Imported before a generator of clients: it reads the syntax trees of TypeScript 5, which the compiler of version 7 does
// not make (one brings its own compiler), and it has no network.
import { register } from "node:module"

const typescript = `import common from ${JSON.stringify(import.meta.resolve("@ts-morph/common"))}; export default common.ts`
const hook = `export const resolve = (name, context, next) => name === "typescript" && !context.parentURL.includes("swagger-typescript-api")
  ? { shortCircuit: true, format: "module", url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(typescript)}`)} }
  : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)

globalThis.fetch = (input) => {
  throw new Error(`A generator asked for ${input}`)
}
