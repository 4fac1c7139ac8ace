// Takes the code from the fragment of a link, which browsers do not send, and out of the address bar and the history.
// It is sent only when the button is pressed, so that a program that previews the link does not use it up.
const code = location.hash.slice(1)
const form = document.querySelector('form:has(#token)')
if (code && form) {
  history.replaceState(null, '', location.pathname)
  form.querySelector('#token').value = code
  form.querySelector('#code').hidden = true
  form.querySelector('#found').hidden = false
  form.querySelector('input[type=email], button').focus()
}
