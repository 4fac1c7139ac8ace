import type { Data } from '../../../contract/index.ts'
import { startRegistration } from '../../auth/passkeys/passkeys.ts'
import type { PreparationScope } from '../../scope.ts'
import { getOrganizer } from '../organizers/organizers.ts'

export async function startPasskeyRegistration(scope: PreparationScope): Promise<Data<'startPasskeyRegistration'>> {
  const { email } = await getOrganizer(scope, scope.principal.organizer)
  return startRegistration(scope, email)
}
