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

/** What a create or a replace says; a CWT configuration may leave its type to us. */
export type ConfigurationBody<Profile extends CredentialProfile> = SettingsOf<Profile> & { type?: string }

/** What one profile's operations have for themselves. */
export interface ConfigurationProfile<Profile extends CredentialProfile> {
  /** As operations have it: `createCompactConfiguration`. */
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
}
