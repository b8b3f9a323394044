// Keeps ages right while a page is open, in the words in which it was made.
const minute = 60_000

/** @param {number} at */
const age = (at) => {
  const ms = Math.abs(Date.now() - at)
  const isLater = at > Date.now()
  if (ms < minute) return isLater ? "in a minute" : "just now"
  const text = ms < 60 * minute ? `${Math.floor(ms / minute)} min` : `${Math.floor(ms / (60 * minute))} h`
  return isLater ? `in ${text}` : `${text} ago`
}

setInterval(() => {
  for (const time of document.querySelectorAll("time.age")) {
    if (time instanceof HTMLTimeElement) time.textContent = age(Date.parse(time.dateTime))
  }
}, minute)
