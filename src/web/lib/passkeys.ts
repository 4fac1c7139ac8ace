import { islands } from '../text/en.ts'
import { api } from './page.ts'

// Signs in with a passkey, or adds one. Without passkeys in the browser, the section stays hidden.

interface Options<T> {
  options: T
}

async function signIn(): Promise<void> {
  const { options } = await api<Options<PublicKeyCredentialRequestOptionsJSON>>('POST', '/sign-in/passkey/start', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  const { id, response } = credential.toJSON() as AuthenticationResponseJSON
  await api('POST', '/sign-in/passkey', {
    id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle ?? '',
  })
}

async function add(label: string): Promise<void> {
  const { options } = await api<Options<PublicKeyCredentialCreationOptionsJSON>>('POST', '/me/passkeys/start', {})
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  const { id, response } = credential.toJSON() as RegistrationResponseJSON
  await api('POST', '/me/passkeys', {
    label,
    id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: (response.transports ?? []).join(),
  })
}

/** The message for an error. Those of browsers say little. */
function messageFor(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  return islands.passkeyErrors[name] ?? message
}

/** What a person may call this device, until they say otherwise. */
const deviceName = (): string => /iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux/.exec(navigator.userAgent)?.[0] ?? ''

export function startPasskeys(): void {
  const section = document.querySelector<HTMLElement>('#passkeys')
  const form = section?.querySelector<HTMLFormElement>('form.passkey')
  const alert = section?.querySelector<HTMLElement>('[role=alert]')
  if (!section || !form || !alert || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return
  const label = form.elements.namedItem('label')
  if (label instanceof HTMLInputElement) label.value = deviceName()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.hidden = true
    try {
      await (label instanceof HTMLInputElement ? add(label.value) : signIn())
      location.assign(section.dataset.next ?? '/')
    } catch (error) {
      alert.textContent = messageFor(error)
      alert.hidden = false
    }
  })
  form.hidden = false
}
