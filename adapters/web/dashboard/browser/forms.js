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

// Sums of an amount and of the amount that is typed: on the button that pays, and the balance after it.
const money = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 })
for (const sum of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sum]"))) {
  const field = sum.closest("form")?.elements.namedItem("micros")
  if (!(field instanceof HTMLInputElement)) continue
  const show = () => {
    const amount = /^\d+(\.\d+)?$/.test(field.value.trim()) ? Number(field.value) : 0
    sum.textContent =
      amount > 0 ? `${money.format(Number(sum.dataset["sum"]) / 1e6 + amount)} USD`.replace("-", "−") : ""
  }
  field.addEventListener("input", show)
  addEventListener("pageshow", show)
}

// What is said beside a form of its values.
const lines = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-if]"))
const form = lines[0]?.closest(".call")?.querySelector("form")
if (form) {
  const show = () => {
    const values = [...new FormData(form)].map(([name, value]) => `${name}=${value}`)
    for (const line of lines) line.hidden = !values.includes(line.dataset["if"] ?? "")
  }
  form.addEventListener("input", show)
  addEventListener("pageshow", show)
}
