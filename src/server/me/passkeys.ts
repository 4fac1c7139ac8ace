import type { Data } from '../../contract/index.ts'
import { getOrganizer } from '../organizers/organizers.ts'
import { startRegistration } from '../passkeys/passkeys.ts'
import type { PreparationScope } from '../scope.ts'

export async function startPasskeyRegistration(scope: PreparationScope): Promise<Data<'startPasskeyRegistration'>> {
  const { email } = await getOrganizer(scope, scope.principal.organizer)
  return startRegistration(scope, email)
}
