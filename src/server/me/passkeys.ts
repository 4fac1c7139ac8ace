import type { Data } from '../../contract/index.ts'
import { getOrganizer } from '../organizers/organizers.ts'
import { startRegistration } from '../passkeys/passkeys.ts'
import type { WriteScope } from '../scope.ts'

export async function startPasskeyRegistration(scope: WriteScope): Promise<Data<'startPasskeyRegistration'>> {
  const { email } = await getOrganizer(scope, scope.principal.organizer)
  return startRegistration(scope, email)
}
