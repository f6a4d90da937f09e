import { z } from 'zod'
import { Timestamp } from '../../http/fields.ts'
import { CredentialTypeView } from '../credential-types/schemas.ts'
import { ParticipantView } from '../participants/schemas.ts'

export const PolicyPreview = z.object({
  policyModifiedAt: Timestamp,
  credentials: z
    .record(z.string(), CredentialTypeView.pick({ profile: true, type: true, name: true }))
    .describe('By id'),
  participants: z
    .record(
      z.string(),
      ParticipantView.omit({ id: true, ecosystemId: true, contacts: true }).extend({
        issuerCredentials: z.array(z.string()).describe('The ids of the types that are assigned to it'),
        verifierCredentials: z.array(z.string()).describe('The ids of the types that are assigned to it'),
      }),
    )
    .describe('By id'),
})

export const PublishedPolicy = PolicyPreview.extend({ policyPublishedAt: Timestamp })

export const Publication = z.object({ id: z.string(), policyPublishedAt: Timestamp })
