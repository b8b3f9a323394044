// The crosshair of every picture: by mouse, touch and keys it goes over the rows of the picture's table and says them.
for (const figure of document.querySelectorAll(".plot")) {
  const [svg, over, cross] = ["svg", ".over", ".cross"].map((each) => figure.querySelector(each))
  const output = figure.querySelector("output")
  const rows = [...figure.querySelectorAll("tr[data-at]")]
    .filter((row) => row instanceof HTMLTableRowElement)
    .map((row) => ({ row, at: Number.parseFloat(row.dataset["at"] ?? "") }))
    .sort((a, b) => a.at - b.at)
  const names = [...figure.querySelectorAll("thead th")].map((name) => name.textContent)
  if (!(svg instanceof SVGElement) || !over || !cross || !output || rows.length === 0) continue
  const isAcross = !rows[0]?.row.dataset["at"]?.endsWith("%")
  let now = -1

  /** @param {string} kind @param {string} text @param {string} name */
  const make = (kind, text = "", name = "") => {
    const element = document.createElement(kind)
    element.textContent = text
    element.className = name
    return element
  }

  const hide = () => {
    now = -1
    cross.classList.remove("on")
    output.replaceChildren()
  }

  /** @param {number} wanted */
  const show = (wanted) => {
    const next = Math.max(0, Math.min(rows.length - 1, wanted))
    const point = rows[next]
    if (next === now || point === undefined) return
    now = next
    const at = point.row.dataset["at"] ?? ""
    if (isAcross) cross.setAttribute("transform", `translate(0 ${at})`)
    else cross.setAttribute("x", at)
    cross.classList.add("on")
    const [first = "", ...rest] = [...point.row.cells].map((cell) => cell.textContent ?? "")
    const spoken = rest.flatMap((value, column) => {
      const name = names[column + 1] ?? ""
      if (value === "" || value === "–") return []
      const key = [...figure.querySelectorAll(".key")].find((each) => each.textContent === name)
      const part = make("span", `${name} `, key?.getAttribute("class") ?? "")
      part.append(make("b", value))
      const line = make("div")
      line.append(part)
      return [make("span", ", ", "unseen"), line]
    })
    const head = make("b", first)
    head.append(make("span", ": ", "unseen"))
    output.replaceChildren(head, ...spoken.slice(1))
    place()
  }

  /** Beside the crosshair, where it hides the least. */
  const place = () => {
    const [frame, mark, box] = [figure, cross, output].map((each) => each.getBoundingClientRect())
    if (!frame || !mark || !box) return
    const right = mark.left - frame.left + 12
    const left = isAcross ? frame.width - box.width : right + box.width > frame.width ? right - 24 - box.width : right
    output.style.left = `${Math.max(0, left)}px`
    output.style.top = `${isAcross ? mark.bottom - frame.top + 4 : mark.top - frame.top}px`
  }

  /** @param {PointerEvent} event */
  const point = ({ clientX, clientY }) => {
    const box = over.getBoundingClientRect()
    const outer = svg.getBoundingClientRect()
    const place = isAcross ? clientY - outer.top : ((clientX - box.left) / box.width) * 100
    const gaps = rows.map(({ at }) => Math.abs(at - place))
    show(gaps.indexOf(Math.min(...gaps)))
  }

  const follow = () => rows[now]?.row.querySelector("a")?.click()

  svg.tabIndex = 0
  svg.addEventListener("pointermove", point)
  svg.addEventListener("pointerdown", point)
  svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide())
  svg.addEventListener("blur", hide)
  svg.addEventListener("click", (event) => event instanceof PointerEvent && event.pointerType === "mouse" && follow())
  svg.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -1e9, End: 1e9 }
    const step = steps[/** @type {keyof typeof steps} */ (event.key)]
    if (event.key === "Enter") follow()
    if (event.key === "Escape") hide()
    if (step === undefined) return
    event.preventDefault()
    show(now === -1 && step === -1 ? rows.length - 1 : now + step)
  })
}
