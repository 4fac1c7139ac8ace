import { auditColumns, exportedList } from '../../storage/db/exported-list.ts'
import { participantsAfter } from './store.ts'

export const participantsExport = {
  participants: exportedList(
    {
      id: 'shown',
      employee_no: 'shown',
      first_name: 'shown',
      last_name: 'shown',
      email: 'shown',
      designation: 'shown',
      mobile_no: 'shown',
      gender: 'shown',
      photo: 'shown',
      ...auditColumns,
      google_id: 'withheld',
    },
    participantsAfter,
  ),
}
