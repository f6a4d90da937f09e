import { z } from 'zod'
import { credentialProfiles } from '../../../shared/profiles.ts'
import { EcosystemName } from '../ecosystems/schemas.ts'

export const Profile = z.enum(credentialProfiles)
/** As credentials of the profile say it: of mobile ones the docType. */
export const CredentialType = z.string().trim().min(1).max(200)

export const NewCredentialType = z.object({ profile: Profile, type: CredentialType, name: EcosystemName })

export const CredentialTypeView = z.object({
  id: z.string(),
  ecosystemId: z.string(),
  profile: z.string(),
  type: z.string(),
  name: z.string(),
})
