import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { getOrMake } from "../../core/getOrMake.ts"
import { nwsRoutes } from "../../test/support/nws.ts"
import { sizes } from "./world.ts"

/** Loopback upstreams: the benchmark sends nothing to the network. */
export interface Upstreams {
  readonly nws: string
  readonly nflverse: string
  readonly stop: () => void
}

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })

/** Delay of the weather service, similar to the real one. */
const nwsMs = 250

const nws = (): Server => {
  const routes = nwsRoutes(() => Date.now())
  return createServer((request, response) => {
    request.resume()
    const { pathname: path, searchParams: query } = new URL(request.url!, "http://upstream")
    const route = routes.find(
      (one) => (typeof one.path === "string" ? one.path === path : one.path.test(path)) && (one.query?.(query) ?? true),
    )
    setTimeout(() => {
      if (route === undefined) return void response.writeHead(404).end("{}")
      const seen = { method: "GET", path, query, headers: request.headers, matched: true, answered: () => false }
      const { status = 200, headers = {}, body } = typeof route.reply === "function" ? route.reply(seen) : route.reply
      response.writeHead(status, headers).end(body)
    }, nwsMs)
  })
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
  for (let at = 0; lines.length <= sizes.roster; at++) {
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

const nflverse = (): Server => {
  const texts = new Map<string, Buffer>()
  return createServer((request, response) => {
    const season = /\/roster_weekly_(\d{4})\.csv$/.exec(request.url!)?.[1]
    // One or two seasons are enough; the others are 404.
    if (season === undefined || Number(season) < new Date().getUTCFullYear() - 1) {
      return void response.writeHead(404).end()
    }
    const text = getOrMake(texts, season, () => Buffer.from(roster(Number(season))))
    response.writeHead(200, { "content-type": "text/csv", "content-length": text.length }).end(text)
  })
}

export const upstreams = async (): Promise<Upstreams> => {
  const servers = [nws(), nflverse()] as const
  const [first, second] = await Promise.all(servers.map(listening))
  return {
    nws: first!,
    nflverse: second!,
    stop: () => {
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
