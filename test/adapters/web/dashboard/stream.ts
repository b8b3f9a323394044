import { request } from "node:http"

/** An event of a stream. */
export interface SentEvent {
  readonly event: string
  readonly data: string
}

export type Shown = { readonly text: string; readonly meter?: object; readonly badge?: object }

/** The open stream of a session, as a browser reads it. */
export interface Opened {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** Of a refusal. */
  readonly text: () => Promise<string>
  /** The next event of a kind; others are passed over. Fails when the stream ends before. */
  readonly next: (event: string) => Promise<string>
  /** Reads changes until a value has a text. */
  readonly until: (name: string, text: string) => Promise<void>
  /** What the stream has said of each value. */
  readonly values: Readonly<Record<string, Shown>>
  /** Done when the server has ended the stream. */
  readonly ended: Promise<void>
  readonly close: () => void
}

export const openStream = (url: string, headers: Readonly<Record<string, string>>, method = "GET"): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const asked = request(`${url}/dashboard/events`, { headers, method, agent: false }, (response) => {
      let text = ""
      let isOver = false
      const events: Array<SentEvent> = []
      let wake = () => {}
      let over = () => {}
      const ended = new Promise<void>((done) => {
        over = done
      })
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
        for (let at = text.indexOf("\n\n"); at !== -1; at = text.indexOf("\n\n")) {
          const found = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, at))
          if (found !== null) events.push({ event: found[1]!, data: found[2]! })
          if (response.statusCode === 200) text = text.slice(at + 2)
          else break
        }
        wake()
      })
      response.once("close", () => {
        isOver = true
        wake()
        over()
      })
      const values: Record<string, Shown> = {}
      const next = async (event: string): Promise<string> => {
        for (;;) {
          const found = events.shift()
          if (found?.event === "values") Object.assign(values, JSON.parse(found.data))
          if (found?.event === event) return found.data
          if (found !== undefined) continue
          if (isOver) throw new Error(`The stream ended before an event ${event}.`)
          await new Promise<void>((done) => {
            wake = done
          })
        }
      }
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        text: () => ended.then(() => text),
        next,
        until: async (name, wanted) => {
          while (values[name]?.text !== wanted) await next("values")
        },
        values,
        ended,
        close: () => void asked.destroy(),
      })
    })
    asked.once("error", reject)
    asked.end()
  })
