import { z } from 'zod'
import { credentialProfiles } from '../../shared/profiles.ts'
import { named } from '../http/fields.ts'

export const CredentialProfile = named(
  'CredentialProfile',
  'The family of formats of a credential',
  z.enum(credentialProfiles),
)

export const CredentialStatus = named(
  'CredentialStatus',
  '`invalid` is final for mobile credentials; `suspended` is known to lists in the format `legacy` alone',
  z.enum(['valid', 'invalid', 'suspended']),
)
