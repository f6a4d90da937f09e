import { z } from 'zod'
import { type Role, tenantRoles } from '../../../shared/roles.ts'
import { Name } from '../../http/fields.ts'

export const NewClient = z.object({
  name: Name,
  roles: z
    .array(z.enum(tenantRoles))
    .min(1)
    .transform((roles): Role[] => [...new Set(roles)]),
})

export const ClientView = z.object({
  clientId: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
})

export const CreatedClientView = ClientView.extend({ clientSecret: z.string().describe('Shown this once') })
