import Type from 'typebox'
import { Id, operation, record } from './operation.ts'

/** Uploaded files. Reading a stored file is an addition to the interface specification: `link` points to it. */
export const files = {
  readFile: operation({
    method: 'GET',
    path: '/api/newsfeeds/files/{file_id}/{file_name}',
    tag: 'Files',
    summary: 'Read a stored file',
    description: 'Returns the bytes, with `ETag` and `Range`. Every file but a plain image is sent as an attachment.',
    access: { readers: 'anyone' },
    params: record({
      file_id: Id('file', 'The file.'),
      file_name: Type.String({ description: 'The file name in its link.', examples: ['slides.pdf'] }),
    }),
    fails: ['FILE_NOT_FOUND'],
  }),
  deleteFile: operation({
    method: 'DELETE',
    path: '/api/newsfeeds/files/{file_Id}/delete',
    tag: 'Files',
    summary: 'Delete an uploaded file',
    access: { role: 'moderator', changesOwn: true },
    params: record({ file_Id: Id('file', 'The file.') }),
    data: record({ message: Type.String({ examples: ['Deleted File Id: 12'] }) }),
    fails: ['FILE_NOT_FOUND'],
  }),
}
