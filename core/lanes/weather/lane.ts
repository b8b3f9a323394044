import type { Definition } from "../Definition.ts"
import { pricing } from "./contracts.ts"
import { endpoints } from "./endpoints.ts"
import type { ClimateReports } from "./ports.ts"
import { recompute } from "./signal/recompute.ts"
import { Weather, type WeatherPorts } from "./Weather.ts"

export const weather: Definition<typeof Weather.lane, WeatherPorts, Weather, ClimateReports> = {
  lane: Weather.lane,
  layer: Weather.layer,
  recomputations: { [endpoints.signal.id]: recompute },
  pricing,
}
