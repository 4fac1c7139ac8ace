import type { files } from '../../contract/files.ts'
import type { Context } from '../context.ts'
import type { Handlers } from '../operation.ts'
import { deleteFile, readFile } from './files.ts'

export const filesRoutes = ({ blobs }: Context): Handlers<keyof typeof files> => ({
  readFile: ({ file_id }, scope) => readFile(scope, blobs, file_id),
  deleteFile: ({ file_Id }, scope) => deleteFile(scope, file_Id),
})
