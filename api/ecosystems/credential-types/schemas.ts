import { z } from 'zod'
import { described, idOf } from '../../http/fields.ts'
import { CredentialProfileSchema } from '../../status/credential-words.ts'
import { EcosystemName } from '../ecosystems/schemas.ts'

export const EcosystemProfile = described(CredentialProfileSchema, 'The profile of the credentials', 'mobile')
/** As credentials of the profile say it: of mobile ones the docType. */
export const CredentialType = z.string().trim().min(1).max(200)

const typeWords = 'As credentials say it: of mobile ones the document type'
export const exampleType = 'org.iso.18013.5.1.mDL'
const nameWords = 'What people call it, 1 to 50 characters'

export const NewCredentialType = z.object({
  profile: EcosystemProfile,
  type: described(CredentialType, typeWords, exampleType),
  name: described(EcosystemName, nameWords, 'Driving licence'),
})

export const CredentialTypeView = z.object({
  id: idOf('credential type'),
  ecosystemId: idOf('ecosystem').describe('The ecosystem that it is in'),
  profile: EcosystemProfile,
  type: described(z.string(), typeWords, exampleType),
  name: described(z.string(), nameWords, 'Driving licence'),
})
