import { z } from 'zod'
import { described, exampleBaseUrl, exampleId, idOf, named } from '../../http/fields.ts'
import { WalletFamilyName } from '../../tenancy/tenants/wallet-family-schemas.ts'
import { atOtherView, parts } from './check.ts'

/** The number of findings of a family in an answer. A tenant can have many configurations. */
export const maxFindings = { ofTenant: 100, ofView: 20 } as const

const exampleConfiguration = exampleId('compact configuration')

const Finding = named(
  'ReaderFinding',
  'A check of a public wallet library that the metadata fail',
  z.object({
    check: described(z.string(), 'The name of the check', 'known_format'),
    part: described(z.enum(parts), 'The document', 'issuerMetadata'),
    affects: described(
      z.enum(['issuer', 'configuration']),
      '`issuer`: the wallet can read no credential of the issuer. `configuration`: it leaves out the configuration',
      'issuer',
    ),
    configurationId: described(
      z.string(),
      'The configuration, if the finding is about one',
      exampleConfiguration,
    ).optional(),
    field: described(
      z.string(),
      'The member of the document',
      `credential_configurations_supported.${exampleConfiguration}.format`,
    ),
    message: described(
      z.string(),
      'What the wallet does not read',
      `The configuration ${exampleConfiguration} has the format cwt. The wallet does not know it and refuses the whole issuer.`,
    ),
    fix: described(z.string(), 'What to change', atOtherView),
    source: named(
      'ReaderSource',
      'The file of the public library that has the check',
      z.object({
        repository: described(
          z.string(),
          'The repository at GitHub',
          'eu-digital-identity-wallet/eudi-lib-ios-openid4vci-swift',
        ),
        path: described(z.string(), 'The file', 'Sources/Entities/CredentialIssuer/CredentialIssuerMetadata.swift'),
        version: described(z.string(), 'The tag or the commit', 'v0.53.0'),
      }),
    ),
  }),
)

const Reader = named(
  'WalletReader',
  'What a wallet family reads of the issuer',
  z.object({
    family: WalletFamilyName,
    name: described(z.string(), 'The name of the family', 'EUDI Wallet for iOS'),
    version: described(z.string(), 'The version of its library', 'v0.53.0'),
    canRead: z
      .boolean()
      .describe('Whether the wallet reads the metadata. It can leave out configurations, which the findings name'),
    findings: z
      .array(Finding)
      .max(maxFindings.ofTenant)
      .describe(
        `What it does not read. At most ${maxFindings.ofTenant} for the tenant itself, and ${maxFindings.ofView} for a view`,
      ),
  }),
)

const ReadersOfView = named(
  'ViewReaders',
  'What the wallet families read of a view',
  z.object({
    id: idOf('view'),
    issuer: described(z.string(), 'The issuer identifier of the view', `${exampleBaseUrl}/views/ios`),
    families: z.array(Reader).describe('The wallet families'),
  }),
)

export const ReadersView = z.object({
  families: z.array(Reader).describe('The wallet families, with what they read of the tenant itself'),
  views: z.array(ReadersOfView).describe('The views of the tenant, the oldest first'),
})
