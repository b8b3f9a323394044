/** Imported before every lane: adds the stations of `STATIONS_FILE` to the registry. A file with a fault stops the program. */
import { readFileSync } from "node:fs"
import * as Either from "effect/Either"
import { addStations, readStations } from "../core/lanes/weather/addedStations.ts"

const file = process.env["STATIONS_FILE"]

const stop = (reason: string): never => {
  process.stderr.write(`STATIONS_FILE: ${file}: ${reason}.\n`)
  process.exit(2)
}

const read = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch (error) {
    return stop(error instanceof Error ? error.message : String(error))
  }
}

if (file !== undefined && file !== "") addStations(Either.getOrElse(readStations(read(file)), stop))
