import { createServer, type RequestListener } from "node:http"
import { getOrMake } from "../../core/getOrMake.ts"
import { hour } from "../../core/time.ts"
import { listen } from "../load/servers.ts"

/** Rows of a season's roster. */
const rosterRows = 46_080

/** Delay of the weather service, similar to the real one. */
const nwsMs = 250

const iso = (at: number): string => new Date(at).toISOString().replace(".000Z", "+00:00")

/** A cell that holds every place. */
const geometry = { type: "Polygon", coordinates: [[[-130, 20], [-130, 50], [-60, 50], [-60, 20], [-130, 20]]] } // biome-ignore format: a box
const cell = { gridId: "OKX", gridX: 34, gridY: 45 }

/** Hours, or the half days from six to six, from the one that it is. */
const periods = (now: number, hours: number, count: number) => {
  const [length, shift] = [hours * hour, hours === 1 ? 0 : 6 * hour]
  const first = Math.floor((now - shift) / length) * length + shift
  return Array.from({ length: count }, (_, n) => {
    const start = first + n * length
    const middle = new Date(start + length / 2).getUTCHours()
    const isDaytime = middle >= 6 && middle < 18
    return {
      ...{ number: n + 1, name: "", startTime: iso(start), endTime: iso(start + length), isDaytime },
      ...{ temperature: isDaytime ? 80 : 60, temperatureUnit: "F", windSpeed: "5 to 10 mph", windDirection: "SW" },
      probabilityOfPrecipitation: { unitCode: "wmoUnit:percent", value: 20 },
      shortForecast: "Mostly Sunny",
    }
  })
}

/** The weather service of one cell: what a forecast asks of it. */
const nwsAnswer = (path: string, query: URLSearchParams, now: number): object | undefined => {
  const updateTime = iso(Math.floor(now / hour) * hour - hour)
  const forecast = (hours: number, count: number) => ({
    geometry,
    properties: { updateTime, periods: periods(now, hours, count) },
  })
  if (path.startsWith("/points/")) {
    const relativeLocation = { properties: { city: "New York", state: "NY" } }
    return { properties: { ...cell, timeZone: "UTC", relativeLocation } }
  }
  if (path.endsWith("/forecast")) return forecast(12, 14)
  if (path.endsWith("/forecast/hourly")) return forecast(1, 156)
  if (path !== "/alerts/active") return undefined
  const [lat, lon] = query.get("point")!.split(",")
  const title = `Current watches, warnings, and advisories for ${lat} N, ${lon!.slice(1)} W`
  return { type: "FeatureCollection", features: [], title, updated: iso(Math.floor(now / 1_000) * 1_000) }
}

const nws: RequestListener = (request, response) => {
  request.resume()
  const { pathname, searchParams } = new URL(request.url!, "http://upstream")
  setTimeout(() => {
    const answer = nwsAnswer(pathname, searchParams, Date.now())
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" })
    response.end(JSON.stringify(answer ?? {}))
  }, nwsMs)
}

const teams =
  "ARI ATL BAL BUF CAR CHI CIN CLE DAL DEN DET GB HOU IND JAX KC LA LAC LV MIA MIN NE NO NYG NYJ PHI PIT SEA SF TB TEN WAS".split(
    " ",
  )

/** A season's weekly roster of realistic size: 32 teams, 18 weeks, 80 players. */
const roster = (season: number): string => {
  const columns =
    "season,team,position,depth_chart_position,jersey_number,status,full_name,first_name,last_name,birth_date,height,weight,college,gsis_id,espn_id,sportradar_id,yahoo_id,rotowire_id,pff_id,pfr_id,fantasy_data_id,sleeper_id,years_exp,headshot_url,ngs_position,week,game_type,status_description_abbr,football_name,esb_id,gsis_it_id,smart_id,entry_year,rookie_year,draft_club,draft_number"
  const lines = [columns]
  for (let at = 0; lines.length <= rosterRows; at++) {
    const [team, week] = [teams[at % 32]!, 1 + (Math.floor(at / 32) % 18)]
    const player = Math.floor(at / (32 * 18))
    const status = player % 8 === 0 ? "RES" : "ACT"
    const id = String(player * 32 + (at % 32)).padStart(7, "0")
    lines.push(
      `${season},${team},WR,WR,${player},${status},Player Number ${player},Player,Number ${player},1999-01-01,73,205,Some State University,00-${id},${id},ab12cd34-0000-0000-0000-${id}00000,${id},${id},${id},PlayNu00,${id},${id},4,https://static.example.com/image/private/f_auto/league/${id}abcdefghijklmnop,WR,${week},REG,${status === "RES" ? "R01" : "A01"},Player,PLA${id},${id},32004241-4c00-0000-0000-${id}00000,2022,2022,${team},101`,
    )
  }
  return `${lines.join("\n")}\n`
}

const texts = new Map<string, Buffer>()
const nflverse: RequestListener = (request, response) => {
  const season = /\/roster_weekly_(\d{4})\.csv$/.exec(request.url!)?.[1]
  // One or two seasons are enough; the others are 404.
  if (season === undefined || Number(season) < new Date().getUTCFullYear() - 1) {
    return void response.writeHead(404).end()
  }
  const text = getOrMake(texts, season, () => Buffer.from(roster(Number(season))))
  response.writeHead(200, { "content-type": "text/csv", "content-length": text.length }).end(text)
}

const listening = async (answer: RequestListener) => `http://127.0.0.1:${await listen(createServer(answer))}`

/** Upstreams on loopback, as long as the bench lasts: it sends nothing to the network. */
export const upstreams = async () => ({ nws: await listening(nws), nflverse: await listening(nflverse) })
