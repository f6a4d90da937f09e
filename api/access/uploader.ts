import { z } from 'zod'
import { idOf, named } from '../http/fields.ts'
import type { Caller } from './subjects.ts'

/** The caller that uploaded a file. */
export const Uploader = named(
  'Uploader',
  'Who uploaded a file: a client or a person',
  z.object({
    clientId: idOf('client').optional().describe('The id of the management client'),
    managementUserId: z.string().optional().describe('The id of the person'),
  }),
)

export interface UploaderId {
  kind: 'client' | 'person'
  id: string
}

export function uploaderOf({ clientId, managementUserId }: Caller): UploaderId {
  if (managementUserId !== undefined) return { kind: 'person', id: managementUserId }
  if (clientId !== undefined) return { kind: 'client', id: clientId }
  throw new Error('the request has no caller')
}

export function presentUploader({ kind, id }: UploaderId): z.input<typeof Uploader> {
  return kind === 'person' ? { managementUserId: id } : { clientId: id }
}
