// Signs in with a passkey, or adds one. Without this script, or passkeys in the browser, the section stays hidden.
const section = document.querySelector('#passkeys')
const alert = section.querySelector('[role=alert]')

/** Sends a request to the API. @returns its data */
async function post(path, body) {
  const response = await fetch(section.dataset.api + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const [{ response_code, data, system }] = await response.json()
  if (response_code >= 4000) throw new Error(system.message)
  return data
}

async function signIn() {
  const { options } = await post('/sign-in/passkey/start', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const { id, response } = (await navigator.credentials.get({ publicKey })).toJSON()
  await post('/sign-in/passkey', {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle ?? '',
  })
}

async function add(label) {
  const { options } = await post('/me/passkeys/start', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const { id, response } = (await navigator.credentials.create({ publicKey })).toJSON()
  await post('/me/passkeys', {
    label,
    id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports.join(),
  })
}

/** By the name of the error: messages in place of those of browsers, which say little. */
const messages = {
  NotAllowedError: 'It was cancelled, or there is no passkey for this site on this device.',
  SecurityError: 'Passkeys do not work at this address.',
  InvalidStateError: 'This device has a passkey for this site already.',
}

const form = section.querySelector('form.passkey')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  alert.hidden = true
  try {
    await (form.elements.label ? add(form.elements.label.value) : signIn())
    location.assign(section.dataset.next)
  } catch (error) {
    alert.textContent = messages[error.name] ?? error.message
    alert.hidden = false
  }
})

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) form.hidden = false
