import { z } from 'zod'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
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

const PolicyCertificate = z.object({
  id: z.string(),
  certificatePem: z.string(),
  certificateFingerprint: z.string().describe('SHA-256, in hex'),
  docTypes: z.array(z.string()).describe('The types of mobile credentials that it is trusted for'),
})

/** The participants in a role, with the certificates that trusted lists of the role have. */
export function participantPolicySchemas(role: ParticipantRole) {
  const preview = z.object({
    participants: z.array(
      z.object({ id: z.string(), name: z.string(), [`${role}Certificates`]: z.array(PolicyCertificate) }),
    ),
  })
  return { preview, published: z.object({ id: z.string(), publishedAt: Timestamp }).extend(preview.shape) }
}
