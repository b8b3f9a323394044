import type { Page } from "playwright-core"

/** How a page came onto the screen. */
export interface Paint {
  /** Largest contentful paint, milliseconds after the request. */
  readonly lcp: number
  /** Cumulative layout shift: how far what was shown has moved by itself; 0: not at all. */
  readonly cls: number
}

interface Shift extends PerformanceEntry {
  readonly value: number
}

/** The paint of a page that is loaded, as the browser has noted it until now. */
export const paintOf = (page: Page): Promise<Paint> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        let [lcp, cls] = [Number.NaN, 0]
        new PerformanceObserver((list) => {
          lcp = list.getEntries().at(-1)!.startTime
        }).observe({ type: "largest-contentful-paint", buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) cls += (entry as Shift).value
        }).observe({ type: "layout-shift", buffered: true })
        // Noted entries are passed on after the next frame; scripts of the page have run by then too. A busy machine paints late.
        const until = performance.now() + 10_000
        const settle = () =>
          Number.isNaN(lcp) && performance.now() < until ? setTimeout(settle, 100) : resolve({ lcp, cls })
        setTimeout(settle, 200)
      }),
  )

/** Bytes a second at which a page of the dashboard comes in several pieces, each of which the browser could paint. */
const bytesPerSecond = 20_000

/** Slows the network and the processor of a page, so that it is parsed in pieces, as on a busy machine. */
export const slowly = async (page: Page): Promise<void> => {
  const screen = await page.context().newCDPSession(page)
  await screen.send("Network.enable")
  await screen.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 20,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await screen.send("Emulation.setCPUThrottlingRate", { rate: 6 })
}
