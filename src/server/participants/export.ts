import { auditColumns, exportedList } from '../db/exported-list.ts'
import { participantsAfter } from './store.ts'

export const participantsExport = {
  participants: exportedList(
    [
      ...(['id', 'employee_no', 'first_name', 'last_name', 'email', 'designation', 'mobile_no'] as const),
      ...(['gender', 'photo', ...auditColumns] as const),
    ],
    participantsAfter,
  ),
}
