// Takes the code from the fragment of a link, which browsers do not send, and out of the address bar and the history.
// It is sent only when the button is pressed, so that a program that previews the link does not use it up.
const form = document.querySelector('form:has(#token)')

function takeCode() {
  const code = location.hash.slice(1)
  if (!code || !form) return
  history.replaceState(null, '', location.pathname)
  form.querySelector('#token').value = code
  form.querySelector('#code').hidden = true
  form.querySelector('#found').hidden = false
  // Whoever has a link needs no other way to sign in.
  for (const other of document.querySelectorAll('main > form, main > section')) other.hidden = other !== form
  form.querySelector('input[type=email], button').focus()
}

takeCode()
// A link that is opened on this page loads nothing.
addEventListener('hashchange', takeCode)
