// npm run new:endpoint -- <lane> <name>: an endpoint in development that answers with its parameter (templates/endpoint.txt).
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { checkout, importing, pascal, report, scaffold } from "./scaffold.ts"

const methods = "Rounding.methods(endpoints, {"

/** Writes an endpoint's files and enters it in the lane's record and service; the paths written. */
export const newEndpoint = (root: string, lane = "", name = ""): ReadonlyArray<string> => {
  const folder = join(root, "core/lanes", lane)
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || !existsSync(join(folder, "lane.ts"))) {
    throw new Error("npm run new:endpoint -- <lane> <name>: a lane's folder, and lower-case words such as water-level")
  }
  const sources = readdirSync(folder).filter((file) => file.endsWith(".ts"))
  const read = (file: string) => readFileSync(join(folder, file), "utf8")
  const service = sources.find((file) => read(file).includes(methods))
  // The path's first word is the lane's in documents: nfl for football.
  const prefix = sources
    .map((file) => /path: "(\/v1\/[\w-]+)\//.exec(read(file))?.[1])
    .find((each) => each !== undefined)
  if (service === undefined || prefix === undefined) throw new Error(`${folder} has no service with endpoints.`)
  const Method = pascal(name)
  const method = `${Method[0]!.toLowerCase()}${Method.slice(1)}`
  return scaffold(
    root,
    "endpoint",
    { lane, Lane: pascal(lane), method, Method, path: `${prefix}/${name}` },
    {
      [`core/lanes/${lane}/endpoints.ts`]: [
        importing(`import { ${method} } from "./${method}.ts"`),
        [/(?<=^export const endpoints = \{[^}]*?)(?=,?\s\})/m, `, ${method}`],
      ],
      [`core/lanes/${lane}/${service}`]: [
        importing(`import { answer${Method} } from "./${method}.ts"`),
        [/(?<=Rounding\.methods\(endpoints, \{)/, ` ${method}: answer${Method},`],
      ],
    },
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  report(
    (lane, name) => newEndpoint(checkout, lane, name),
    "Next: parameters, results and method; its price in test/core/lanes/catalogue.test.ts; then npm run docs and npm run schemas.",
  )
}
