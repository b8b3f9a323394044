/* A button on each block of code and at each shortened id, which copies it. Without a clipboard, as over plain HTTP, there is none. */
const { clipboard } = navigator
if (clipboard !== undefined) {
  for (const block of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("pre:has(> code), [data-copy]")
  )) {
    const id = block.dataset["copy"]
    const text = id ?? block.textContent ?? ""
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = "Copy"
    if (id !== undefined) button.ariaLabel = `Copy ${id}`
    button.addEventListener("click", async () => {
      await clipboard.writeText(text)
      button.textContent = "✓ Copied"
      setTimeout(() => {
        button.textContent = "Copy"
      }, 2_000)
    })
    if (id === undefined) block.append(button)
    else block.after(" ", button)
  }
}
