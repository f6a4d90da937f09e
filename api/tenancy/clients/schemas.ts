import { z } from 'zod'
import { type Role, tenantRoles } from '../../../shared/roles.ts'
import { Name } from '../../http/fields.ts'

export const NewClient = z.object({
  name: Name,
  roles: z
    .array(z.enum([...tenantRoles, 'platform']))
    .min(1)
    .transform((roles): Role[] => [...new Set(roles)])
    .describe("`platform` for the platform's own clients, which have no other; the others for a tenant's"),
})

export const ClientView = z.object({
  clientId: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
})

const longestOverlapSeconds = 30 * 86_400

export const NewSecret = z.object({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(longestOverlapSeconds)
    .default(0)
    .describe('How much longer the secret that is replaced is good, at most 30 days; of several the last is'),
})

export const SecretView = z.object({ clientId: z.string(), clientSecret: z.string().describe('Shown this once') })

export const CreatedClientView = ClientView.extend({ clientSecret: z.string().describe('Shown this once') })
