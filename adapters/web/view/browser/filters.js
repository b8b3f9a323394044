// A filter applies as soon as it is chosen, but not while somebody is still typing or on the way to the next one.
const restMs = 700
const at = "filter"

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-at-once]"))) {
  const chosen = () => String(new URLSearchParams(/** @type {any} */ (new FormData(form))))
  // What is not chosen is no part of the address.
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name)
  })
  const first = chosen()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const apply = () => {
    // The date of a year that is half typed is none.
    if (chosen() === first || !form.checkValidity()) return
    sessionStorage.setItem(at, document.activeElement?.id ?? "")
    form.requestSubmit()
  }
  for (const kind of ["input", "keydown", "focusin"]) {
    form.addEventListener(kind, () => {
      clearTimeout(timer)
      timer = setTimeout(apply, restMs)
    })
  }
  form.addEventListener("submit", () => clearTimeout(timer))
  // A page that comes back has the filters of its address.
  addEventListener("pageshow", ({ persisted }) => persisted && form.reset())
}

// On the page with the new address the focus is where it was.
const focused = sessionStorage.getItem(at)
if (focused !== null) {
  sessionStorage.removeItem(at)
  const field = document.getElementById(focused)
  field?.focus()
  if (field instanceof HTMLInputElement && field.type === "search") field.setSelectionRange(-1, -1)
}
