// Fills in the code of a link, which is in the fragment, and takes it out of the address. It is sent by the person's own
// click: a link that signs in by itself would also do so for a stranger's account, and for programs that scan mails.
const code = decodeURIComponent(location.hash.slice(1))
if (code !== "") {
  history.replaceState(null, "", location.pathname)
  for (const field of document.getElementsByName("code")) {
    if (field instanceof HTMLInputElement) field.value = code
  }
}
