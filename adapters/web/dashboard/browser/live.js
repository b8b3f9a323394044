// Keeps the values of a page up to date. Of all tabs of a session one holds the stream and tells the others: a browser has
// six connections to a server, and a stream in each tab would leave none for the seventh. Without this script, or in a
// browser without the means, a page shows what it was made with.

/** @typedef {{ text: string, meter?: { value: number, max: number, high: number }, badge?: { tone: string, mark: string } }} Shown */
/** @typedef {{ values?: Record<string, Shown>, state?: string, over?: string, hello?: true }} Message */

const path = "/dashboard/events"
const live = "Updates live"
const paused = "Updates paused"
const signedOut = "Signed out"
/** A tab that nobody looks at lets go after this, milliseconds: another one takes over, or nobody asks the server. */
const hiddenMs = 60_000
/** A stream that is silent for this long is opened again: the server says something every 15 s. */
const silenceMs = 45_000
/** A stream that is refused is tried again after this, and then after twice as long each time, up to 5 minutes. */
const retryMs = 5_000

const note = document.querySelector("[data-live-stream]")
const stream = note instanceof HTMLElement ? note.dataset["liveStream"] : undefined
if (note instanceof HTMLElement && stream !== undefined && "locks" in navigator && "BroadcastChannel" in globalThis) {
  begin(note, stream)
}

/**
 * @param {HTMLElement} note says whether the page is up to date
 * @param {string} name of the session and the account, which the tabs have in common
 */
function begin(note, name) {
  const show = shower()
  /** What leaving undoes; empty: this tab takes no part. @type {Array<() => void>} */
  const leaving = []
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let hidden
  let said = ""

  /** @param {string} state */
  const say = (state) => {
    if (said === state) return
    // The first words are no news. Later ones are read out.
    if (said !== "") note.setAttribute("aria-live", "polite")
    said = state
    note.textContent = state
  }

  const leave = () => {
    for (const undo of leaving.splice(0)) undo()
  }

  const join = () => {
    if (leaving.length > 0) return
    const channel = new BroadcastChannel(name)
    const gone = new AbortController()
    /** What the stream has said; of the tab that holds it. @type {{ values: Record<string, Shown>, state: string } | undefined} */
    let held
    /** @param {Message} message */
    const tell = (message) => {
      if (message.values !== undefined) show(message.values)
      if (message.state !== undefined) say(message.state)
      if (message.over === undefined) return
      say(message.over)
      leave()
    }
    channel.onmessage = ({ data }) => {
      const message = /** @type {Message} */ (data)
      if (message.hello === true) {
        if (held !== undefined) channel.postMessage(held)
      } else if (held === undefined) tell(message)
    }
    leaving.push(
      () => channel.close(),
      () => gone.abort(),
    )
    channel.postMessage({ hello: true })
    const turn = () => {
      const mine = { values: /** @type {Record<string, Shown>} */ ({}), state: "" }
      held = mine
      const close = hold((message) => {
        Object.assign(mine.values, message.values)
        if (message.state !== undefined) mine.state = message.state
        channel.postMessage(message)
        tell(message)
      })
      return /** @type {Promise<void>} */ (
        new Promise((done) =>
          leaving.unshift(() => {
            close()
            done()
          }),
        )
      )
    }
    // Aborted while it waits: the tab has left.
    navigator.locks.request(name, { signal: gone.signal }, turn).catch(() => {})
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(hidden)
    if (!document.hidden) return join()
    hidden = setTimeout(() => {
      leave()
      say(paused)
    }, hiddenMs)
  })
  addEventListener("pagehide", leave)
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) join()
  })
  // After the page is loaded: a stream would be a part of it.
  if (document.readyState === "complete") join()
  else addEventListener("load", join, { once: true })
}

/**
 * Holds the stream.
 *
 * @param {(message: Message) => void} tell
 * @returns {() => void} lets go
 */
function hold(tell) {
  let wait = retryMs
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  /** @type {EventSource | undefined} */
  let source

  /** @param {number} ms */
  const openAfter = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      source?.close()
      open()
    }, ms)
  }

  const open = () => {
    const own = new EventSource(path)
    source = own
    openAfter(silenceMs)
    own.addEventListener("values", ({ data }) => {
      wait = retryMs
      openAfter(silenceMs)
      tell({ values: JSON.parse(data), state: live })
    })
    own.addEventListener("beat", () => openAfter(silenceMs))
    own.addEventListener("over", ({ data }) => end(data === "signed out" ? signedOut : "Another account is shown now"))
    own.addEventListener("error", async () => {
      // The browser itself asks again, unless it was refused. It does not say why.
      const isRefused = own.readyState === EventSource.CLOSED
      const refusal = isRefused ? await fetch(path, { method: "HEAD" }).catch(() => undefined) : undefined
      if (source !== own) return
      if (refusal?.status === 401) return end(signedOut)
      tell({ state: paused })
      if (!isRefused) return
      openAfter(wait)
      wait = Math.min(2 * wait, 300_000)
    })
  }

  const close = () => {
    clearTimeout(timer)
    source?.close()
    source = undefined
  }

  /** @param {string} why */
  const end = (why) => {
    close()
    tell({ over: why })
  }

  open()
  return close
}

/** @returns {(values: Record<string, Shown>) => void} shows values where the page has them */
function shower() {
  const places = /** @type {Array<HTMLElement>} */ ([...document.querySelectorAll("[data-live]")])
  const newer = /** @type {Array<HTMLElement>} */ ([...document.querySelectorAll("[data-live-unless]")])
  const changed = document.querySelector("[data-live-changed]")
  /** @param {HTMLElement} place */
  const wordsOf = (place) => place.lastElementChild ?? place
  const states = places.filter((place) => place.matches(".badge"))
  const first = states.map((place) => wordsOf(place).textContent)

  return (values) => {
    for (const place of places) {
      const shown = values[place.dataset["live"] ?? ""]
      if (shown === undefined) continue
      const words = wordsOf(place)
      if (words.textContent !== shown.text) words.textContent = shown.text
      const meter = place.firstElementChild
      if (meter instanceof HTMLMeterElement) {
        meter.hidden = shown.meter === undefined
        Object.assign(meter, shown.meter)
      }
      if (shown.badge === undefined) continue
      place.className = `badge ${shown.badge.tone}`
      const mark = place.firstElementChild
      if (mark !== null) mark.textContent = shown.badge.mark
    }
    for (const place of newer) {
      const [name = "", text] = (place.dataset["liveUnless"] ?? "").split("=")
      const shown = values[name]
      if (shown !== undefined) place.hidden = shown.text === text
    }
    if (changed instanceof HTMLElement) {
      changed.hidden = states.every((place, at) => wordsOf(place).textContent === first[at])
    }
  }
}
