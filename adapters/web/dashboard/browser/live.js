// Keeps the values of a page up to date while somebody looks at it. Without this script a page shows what it was made with.

/** @typedef {{ text: string, meter?: { value: number, max: number, high: number }, badge?: { tone: string, mark: string } }} Shown */

const everyMs = 2_000
/** A look that fails is tried again after twice as long each time, up to this. */
const maxWaitMs = 300_000
const timeoutMs = 10_000

const note = document.querySelector("[data-live-account]")
if (note instanceof HTMLElement) follow(note)

/** @param {HTMLElement} note says whether the page is up to date */
function follow(note) {
  const show = shower()
  const places = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live], [data-live-unless]"))
  const names = [...places].map(({ dataset: { live, liveUnless = "" } }) => live ?? liveUnless)
  const { liveAccount = "", liveAt = "" } = note.dataset
  const query = new URLSearchParams({ account: liveAccount, at: liveAt })
  for (const id of new Set(names.flatMap((name) => (name.includes(".") ? name.split(".", 1) : []))))
    query.append("id", id)
  let said = ""
  let etag = ""
  let wait = everyMs
  let isAsking = false
  let isOver = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @param {string} state */
  const say = (state) => {
    if (said === state) return
    // The first words are no news. Later ones are read out.
    if (said !== "") note.setAttribute("aria-live", "polite")
    said = state
    note.textContent = state
  }

  const look = async () => {
    const response = await fetch(`/dashboard/live.json?${query}`, {
      headers: { "if-none-match": etag },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status === 401 || response.status === 404) {
      isOver = true
      return say(response.status === 401 ? "Signed out" : "Another account is shown now")
    }
    if (response.ok) {
      show(await response.json())
      etag = response.headers.get("etag") ?? ""
    } else if (response.status !== 304) throw new Error(response.statusText)
    wait = everyMs
    say("Updates live")
  }

  const ask = async () => {
    clearTimeout(timer)
    if (isAsking || isOver || document.hidden) return
    isAsking = true
    await look().catch(() => {
      wait = Math.min(2 * wait, maxWaitMs)
      say("Updates paused")
    })
    isAsking = false
    timer = setTimeout(ask, wait)
  }

  document.addEventListener("visibilitychange", ask)
  // After the page is loaded: the first look would be a part of it.
  if (document.readyState === "complete") ask()
  else addEventListener("load", ask, { once: true })
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

  addEventListener("animationend", ({ target }) => target instanceof Element && target.classList.remove("changed"))

  return (values) => {
    for (const place of places) {
      const shown = values[place.dataset["live"] ?? ""]
      if (shown === undefined) continue
      const words = wordsOf(place)
      if (words.textContent !== shown.text) {
        words.textContent = shown.text
        words.classList.add("changed")
      }
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
