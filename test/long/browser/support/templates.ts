interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: { readonly enum?: ReadonlyArray<string> }
}
interface Operation {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

/** Every HTML page by the template of its path, as the service itself lists its routes, and some that it does not list. */
export const templates = async (url: string): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { readonly get?: Operation }>>
  }
  const unlisted = [
    ...["/scoreboard/markets", "/scoreboard/challengers/midway", "/record?leaf=10"],
    ...["/weather/KNYC", "/nfl/2026_01_KC_TEN", "/mlb/777001", "/crypto/BTC", "/markets/KXHIGHNY-26JUL08-T82"],
    ...["/docs/weather?run=weather_signal&station=KNYC", "/docs/crypto?run=crypto_signal&horizon_minutes=9999"],
    "/docs/search?q=station",
  ]
  return new Map([
    ...unlisted.map((path): [string, ReadonlyArray<string>] => [path, [path]]),
    ...Object.entries(paths).flatMap(([path, { get }]): ReadonlyArray<[string, ReadonlyArray<string>]> => {
      if (get === undefined || !("text/html" in (get.responses["200"]?.content ?? {}))) return []
      const named = get.parameters?.find((each) => each.in === "path")
      const values = named?.schema.enum ?? []
      return [[path, named === undefined ? [path] : values.map((value) => path.replace(`{${named.name}}`, value))]]
    }),
  ])
}
