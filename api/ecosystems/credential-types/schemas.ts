import { z } from 'zod'
import { described, idOf, named } from '../../http/fields.ts'
import { EcosystemName } from '../ecosystems/schemas.ts'

export const EcosystemProfile = described(
  named(
    'EcosystemProfile',
    'The family of formats of a credential in an ecosystem',
    z.enum(['compact', 'compact-semantic', 'web-semantic', 'mobile', 'sd-jwt']),
  ),
  'The profile of the credentials',
  'mobile',
)
/** The type as credentials of the profile contain it. For mobile credentials, it is the docType. */
export const CredentialType = z.string().trim().min(1).max(200)

const typeDescription =
  'The type as credentials contain it. For mobile credentials, it is the document type. For SD-JWT VCs, it is `vct`.'
export const exampleType = 'org.iso.18013.5.1.mDL'
const nameDescription = 'The display name, 1 to 50 characters'

export const NewCredentialType = z.object({
  profile: EcosystemProfile,
  type: described(CredentialType, typeDescription, exampleType),
  name: described(EcosystemName, nameDescription, 'Driving licence'),
})

export const CredentialTypeView = z.object({
  id: idOf('credential type'),
  ecosystemId: idOf('ecosystem').describe('The ecosystem of the credential type'),
  profile: EcosystemProfile,
  type: described(z.string(), typeDescription, exampleType),
  name: described(z.string(), nameDescription, 'Driving licence'),
})
