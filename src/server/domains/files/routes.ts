import type { files } from '../../../contract/files.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../operation.ts'
import { deleteFile, readFile } from './files.ts'

export const filesRoutes = ({ blobs }: Context): Handlers<keyof typeof files> => ({
  readFile: (scope, { file_id }) => readFile(scope, blobs, file_id),
  deleteFile: (scope, { file_Id }) => deleteFile(scope, file_Id),
})
