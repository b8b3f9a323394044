// Marks, in the list at the side, the section that the top of the window is in.
const links = new Map(
  [...document.querySelectorAll('.side a[href^="#"]')].map((link) => [link.getAttribute("href")?.slice(1), link]),
)
const watch = new IntersectionObserver(
  (entries) => {
    const shown = entries.find(({ isIntersecting }) => isIntersecting)
    if (shown === undefined) return
    for (const link of links.values()) link.removeAttribute("aria-current")
    links.get(shown.target.id)?.setAttribute("aria-current", "location")
  },
  { rootMargin: "0px 0px -70% 0px" },
)
for (const id of links.keys()) {
  const section = document.getElementById(id ?? "")
  if (section !== null) watch.observe(section)
}
