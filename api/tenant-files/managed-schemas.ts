import { z } from 'zod'
import { described, exampleId, idOf, Timestamp } from '../http/fields.ts'
import { PageQuery } from '../http/page.ts'
import { PlanView } from './schemas.ts'

export const ManagedObjectsQuery = PageQuery.extend({
  resource: z
    .string()
    .max(400)
    .optional()
    .meta({
      description: 'Lists only the object at this path, such as `/v1/webhooks/{webhookId}`',
      examples: [`/v1/webhooks/${exampleId('webhook')}`],
    }),
})

export const ManagedObjectView = z.object({
  id: idOf('managed object'),
  kind: described(z.string(), 'The kind of the object', 'webhook'),
  name: described(z.string(), 'The name of the file, without folder and extension', 'student-register'),
  resource: described(z.string(), 'The path of the object', `/v1/webhooks/${exampleId('webhook')}`).optional(),
  isLocked: z.boolean().describe('Whether only an apply can change the object (`lockManagedObjects` of the tenant)'),
  digest: PlanView.shape.digest.describe('The digest of the files that changed the object last'),
  appliedAt: Timestamp.describe('The time of the last apply that changed the object'),
})
