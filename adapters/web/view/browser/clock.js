// Counts down to each close, and reads a page that was not ready again, at longer and longer intervals.
const duration = (/** @type {number} */ ms) => {
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60)]
  if (days > 0) return `${days}\u00a0d ${hours % 24}\u00a0h`
  const seconds = `${Math.floor(ms / 1_000) % 60}\u00a0s`
  return hours > 0 ? `${hours}\u00a0h ${minutes % 60}\u00a0min ${seconds}` : `${minutes}\u00a0min ${seconds}`
}
const closes = [...document.querySelectorAll("time[data-closes]")]
const count = () => {
  for (const each of closes) {
    const left = Date.parse(each.getAttribute("datetime") ?? "") - Date.now()
    each.textContent = left > 0 ? `closes in ${duration(left)}` : "closed"
  }
}
if (closes.length > 0) {
  count()
  setInterval(count, 1_000)
}
const { tries = 0 } = history.state ?? {}
if (document.querySelector("[data-reload]") && tries < 6) {
  setTimeout(
    () => {
      history.replaceState({ tries: tries + 1 }, "")
      location.reload()
    },
    1_000 * 2 ** tries,
  )
}
