import { z } from 'zod'
import { described, exampleId, named } from '../../http/fields.ts'
import { WalletFamilyName } from '../../tenancy/tenants/wallet-family-schemas.ts'
import { parts } from './check.ts'

/** The number of findings of a family in an answer. A tenant can have many configurations. */
export const maxFindings = 100

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
    fix: described(z.string(), 'What to change', 'Issue these credentials from another tenant.'),
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

export const ReadersView = z.object({
  families: z
    .array(
      named(
        'WalletReader',
        'What a wallet family reads of the issuer',
        z.object({
          family: WalletFamilyName,
          name: described(z.string(), 'The name of the family', 'EUDI Wallet for iOS'),
          version: described(z.string(), 'The version of its library', 'v0.53.0'),
          canRead: z
            .boolean()
            .describe(
              'Whether the wallet reads the metadata. It can leave out configurations, which the findings name',
            ),
          findings: z.array(Finding).max(maxFindings).describe(`What it does not read. At most ${maxFindings}`),
        }),
      ),
    )
    .describe('The wallet families'),
})
