// A paid call through the client, on whatever runs this, against the server and with the live key in the arguments.
import { argv } from "node:process"
import { makeClient, ServiceError } from "../../../adapters/client/mod.ts"

const [, , baseUrl = "", key = ""] = argv
const client = makeClient({ baseUrl, key })
const { results, _meta } = await client.weather_settlement({ station: "KNYC" })
const unknown = await client.nfl_games({ team: "no team" }).catch((error: unknown) => error)
if (!(unknown instanceof ServiceError) || unknown.code !== "invalid_parameter") throw unknown
console.log(`client: paid ${_meta.price.charged_micros} micro-dollars for ${results.station.id}`)
