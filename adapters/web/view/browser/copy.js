/* A button on each block of code, which copies it. Without a clipboard, as over plain HTTP, there is none. */
const { clipboard } = navigator
if (clipboard !== undefined) {
  for (const block of document.querySelectorAll("pre:has(> code)")) {
    const text = block.textContent ?? ""
    const button = document.createElement("button")
    button.type = "button"
    button.className = "copy"
    button.textContent = "Copy"
    button.addEventListener("click", async () => {
      await clipboard.writeText(text)
      button.textContent = "✓ Copied"
      setTimeout(() => {
        button.textContent = "Copy"
      }, 2_000)
    })
    block.append(button)
  }
}
