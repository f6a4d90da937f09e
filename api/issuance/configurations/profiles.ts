import type { z } from 'zod'
import type { CredentialProfile, SettingsOf } from '../../../shared/domain/issuance/profiles.ts'
import { MobileConfiguration, MobileConfigurationView } from './mobile-schemas.ts'
import {
  CompactConfiguration,
  CompactConfigurationView,
  CompactSemanticConfiguration,
  CompactSemanticConfigurationView,
  WebSemanticConfiguration,
  WebSemanticConfigurationView,
} from './schemas.ts'
import { SdJwtConfiguration, SdJwtConfigurationView } from './sd-jwt-configuration.ts'

/** The body of a create or replace operation. A CWT configuration may omit its type. */
export type ConfigurationBody<Profile extends CredentialProfile> = SettingsOf<Profile> & { type?: string }

/** The parts of the operations that differ by profile. */
export interface ConfigurationProfile<Profile extends CredentialProfile> {
  /** The name of the profile in operations, such as `createCompactConfiguration`. */
  word: string
  tag: string
  eventPrefix: string
  body: z.ZodType<ConfigurationBody<Profile>>
  view: z.ZodType
}

export const configurationProfiles: { [Profile in CredentialProfile]: ConfigurationProfile<Profile> } = {
  compact: {
    word: 'Compact',
    tag: 'Compact',
    eventPrefix: 'CREDENTIAL_COMPACT_CREDENTIAL_CONFIGURATION',
    body: CompactConfiguration,
    view: CompactConfigurationView,
  },
  'compact-semantic': {
    word: 'CompactSemantic',
    tag: 'Compact semantic',
    eventPrefix: 'CREDENTIAL_COMPACT_SEMANTIC_CREDENTIAL_CONFIGURATION',
    body: CompactSemanticConfiguration,
    view: CompactSemanticConfigurationView,
  },
  'web-semantic': {
    word: 'WebSemantic',
    tag: 'Web semantic',
    eventPrefix: 'CREDENTIAL_WEB_SEMANTIC_CREDENTIAL_CONFIGURATION',
    body: WebSemanticConfiguration,
    view: WebSemanticConfigurationView,
  },
  mobile: {
    word: 'Mobile',
    tag: 'Mobile',
    eventPrefix: 'MOBILE_CREDENTIAL_CONFIGURATION',
    body: MobileConfiguration,
    view: MobileConfigurationView,
  },
  'sd-jwt': {
    word: 'SdJwt',
    tag: 'SD-JWT VC',
    eventPrefix: 'SD_JWT_CREDENTIAL_CONFIGURATION',
    body: SdJwtConfiguration,
    view: SdJwtConfigurationView,
  },
}
