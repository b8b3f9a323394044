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
