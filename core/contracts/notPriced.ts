/** Kalshi's weather series that no model prices: the form of their tickers, and the value on which they pay. */
export const notPriced = [
  { series: "KXTEMP*", pays_on: "the temperature at an hour" },
  { series: "KXRAIN*", pays_on: "rain" },
  { series: "KX*SNOW*", pays_on: "snow" },
] as const

const families = notPriced.map(({ series, pays_on }) => ({
  form: new RegExp(`^${series.replaceAll("*", "[A-Z]*")}(-|$)`),
  pays_on,
}))

/** The value that a contract or an event pays on, if its series is one that no model prices. */
export const unpricedValue = (ticker: string): string | undefined =>
  families.find(({ form }) => form.test(ticker))?.pays_on
