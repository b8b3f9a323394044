// A form that was sent is not sent again by a second click.
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target)
  if (form.dataset["sent"] === "true") {
    event.preventDefault()
    return
  }
  form.dataset["sent"] = "true"
  // A page that comes back from the browser's memory can be sent again.
  addEventListener("pageshow", () => delete form.dataset["sent"], { once: true })
})

// `/` goes to the search of a list, or else to that of the header, `?` to the help, which can turn both off: some people's keys are pressed by their voice.
const help = document.getElementById("keyboard")
const use = document.getElementById("keyboard-use")
if (help instanceof HTMLDetailsElement && use instanceof HTMLInputElement) {
  use.checked = localStorage.getItem("keyboard") !== "off"
  use.addEventListener("change", () => localStorage.setItem("keyboard", use.checked ? "on" : "off"))
  document.addEventListener("keydown", (event) => {
    const { key, target } = event
    if (!use.checked || event.ctrlKey || event.metaKey || event.altKey) return
    if (target instanceof Element && target.closest("input, select, textarea") !== null) return
    const search = document.querySelector('main input[type="search"]') ?? document.querySelector('input[type="search"]')
    if (key === "/" && search instanceof HTMLElement) {
      event.preventDefault()
      search.focus()
    }
    if (key === "?") {
      help.open = true
      help.querySelector("summary")?.focus()
    }
  })
}
