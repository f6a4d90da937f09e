import { z } from 'zod'
import type { ParticipantRole } from '../../../db/tables/ecosystems/participants.ts'
import { exampleFingerprint } from '../../certificates/present.ts'
import { described, exampleCertificate, exampleId, idOf, named, Timestamp } from '../../http/fields.ts'
import { CredentialTypeView, exampleType } from '../credential-types/schemas.ts'
import { ParticipantView } from '../participants/schemas.ts'

const PolicyType = named(
  'PolicyCredentialType',
  'A credential type of the ecosystem',
  CredentialTypeView.pick({ profile: true, type: true, name: true }),
)
const PolicyParticipant = named(
  'PolicyParticipant',
  'A participant and the types that it may issue and verify',
  ParticipantView.omit({ id: true, ecosystemId: true, contacts: true }).extend({
    issuerCredentials: z.array(z.string()).describe('The ids of the types that it may issue'),
    verifierCredentials: z.array(z.string()).describe('The ids of the types that it may verify'),
  }),
)

export const PolicyPreview = z.object({
  policyModifiedAt: Timestamp.describe('When the ecosystem was last changed'),
  credentials: described(z.record(z.string(), PolicyType), 'The credential types by id', {
    [exampleId('credential type')]: { profile: 'mobile', type: exampleType, name: 'Driving licence' },
  }),
  participants: described(z.record(z.string(), PolicyParticipant), 'The participants by id', {
    [exampleId('participant')]: {
      name: 'Transport Agency',
      identifiers: { 'web-semantic': 'did:web:transport.example' },
      isIssuer: true,
      isVerifier: true,
      isIssuerConstrained: true,
      isVerifierConstrained: true,
      status: 'Active',
      country: 'NZ',
      issuerCredentials: [exampleId('credential type')],
      verifierCredentials: [exampleId('credential type')],
    },
  }),
})

export const PublishedPolicy = PolicyPreview.extend({
  policyPublishedAt: Timestamp.describe('When the policy was published'),
})

export const Publication = named(
  'PolicyPublication',
  'The result of a publication',
  z.object({
    id: idOf('policy'),
    policyPublishedAt: Timestamp.describe('When the policy was published'),
  }),
)

const PolicyCertificate = named(
  'PolicyCertificate',
  'A trusted certificate',
  z.object({
    id: idOf('issuer certificate').describe('The id of the certificate'),
    certificatePem: described(z.string(), 'The certificate in PEM', exampleCertificate),
    certificateFingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
    docTypes: described(z.array(z.string()), 'The types of mobile credentials for which it is trusted', [exampleType]),
  }),
)

/** The schemas of a role's policy: the participants with the certificates that are also on trusted lists of the role. */
export function participantPolicySchemas(role: ParticipantRole) {
  const preview = z.object({
    participants: z.array(policyParticipants[role]).describe(`The participants that are ${role}s`),
  })
  const published = z
    .object({ id: idOf(`${role} policy`), publishedAt: Timestamp.describe('When the policy was published') })
    .extend(preview.shape)
  return {
    preview,
    published: named(
      role === 'issuer' ? 'PublishedIssuerPolicy' : 'PublishedVerifierPolicy',
      `The trusted ${role}s`,
      published,
    ),
  }
}

const policyParticipants = {
  issuer: participantIn('issuer', 'Issuer'),
  verifier: participantIn('verifier', 'Verifier'),
}

function participantIn(role: ParticipantRole, word: string) {
  return named(
    `Policy${word}`,
    `A participant as ${role}`,
    z.object({
      id: idOf('participant'),
      name: described(z.string(), 'The display name', 'Transport Agency'),
      [`${role}Certificates`]: z.array(PolicyCertificate).describe('Its trusted certificates'),
    }),
  )
}
