// Fills in the code of a link, which is in the fragment, and takes it out of the address: when the page opens, and when a
// link is opened in a tab that shows the page already, which changes the fragment alone. The code is sent by the person's
// own click: a link that signs in by itself would also do so for a stranger's account, and for programs that scan mails.
const fill = () => {
  const code = decodeURIComponent(location.hash.slice(1))
  if (code === "") return
  history.replaceState(null, "", location.pathname)
  for (const field of document.getElementsByName("code")) {
    if (field instanceof HTMLInputElement) field.value = code
  }
}
addEventListener("hashchange", fill)
fill()
