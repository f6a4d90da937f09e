import { z } from 'zod'
import {
  type IntegrationFormat as Format,
  failReasons,
  loteFormat,
} from '../../../shared/domain/ecosystems/integrations.ts'
import { loteServiceNames, loteTypeNames } from '../../../shared/formats/trusted-lists/lote/lote-types.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { described, idOf, named, PemCertificate, Timestamp, withoutExample } from '../../http/fields.ts'
import { findLoteMemberFault } from './lote-members.ts'

/** The name of an ecosystem, a credential type or a participant. */
export const EcosystemName = z
  .string()
  .trim()
  .min(1, 'Must have 1 to 50 characters')
  .max(50, 'Must have 1 to 50 characters')

/** Allows loopback addresses. The handler checks the URL again with the configuration, which allows them only in development. */
const ListUrl = z.string().superRefine((url, ctx) => {
  const refusal = findUrlFault(url, { allowLoopback: true, allowQuery: true })
  if (refusal) ctx.addIssue({ code: 'custom', message: refusal })
})

export const maxIntegrations = 10

const listUrlDescription = 'The URL at which the list is published'
export const shownUrlDescription = `${listUrlDescription}. Viewers see only its origin.`
export const exampleListUrl = 'https://lists.example.org/vical.cbor'
const enabledDescription = 'Whether the list is fetched and its certificates are used'
const anchorDescription =
  'The accepted root certificates of the list, or certificates of its signer if the format is `etsi-lote`. Without one, the root of the first valid list is pinned.'
const loteTypeDescription = 'The type of a list of trusted entities. Required if the format is `etsi-lote`.'
const typesDescription =
  'The types of credentials (`docType` or `vct`) for which the issuers of a list of trusted entities are trusted. By default those of PID or of mDL if the list is of their providers, and otherwise none.'

export const IntegrationFormatSchema = named(
  'IntegrationFormat',
  'The format of a list. A VICAL lists the authorities of issuers. A RICAL lists the authorities of readers. `etsi-lote` is a list of trusted entities of the EU (ETSI TS 119 602).',
  z.enum(['VICAL', 'RICAL', loteFormat] satisfies Format[]),
)

export const LoteTypeSchema = named(
  'LoteType',
  'The type of a list of trusted entities (ETSI TS 119 602, annexes D to I)',
  z.enum(loteTypeNames),
)

const Integration = named(
  'NewIntegration',
  'An external list that an ecosystem uses',
  z.object({
    format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
    loteType: LoteTypeSchema.optional().describe(loteTypeDescription),
    types: z.array(z.string().min(1).max(255)).min(1).max(100).optional().describe(`${typesDescription} At most 100.`),
    url: described(ListUrl, listUrlDescription, exampleListUrl),
    enabled: described(z.boolean().default(true), enabledDescription, false),
    trustAnchors: z
      .array(PemCertificate)
      .max(5)
      .default([])
      .meta({ description: `${anchorDescription} At most 5.`, examples: [[]] }),
  }),
)

export const LoteServiceSchema = named(
  'LoteServiceType',
  'What a trusted entity does with certificates: it issues under them, or signs the revocation of what it issued',
  z.enum(loteServiceNames),
)

const Integrations = z
  .array(Integration)
  .max(maxIntegrations)
  .superRefine((integrations, ctx) => {
    for (const [index, integration] of integrations.entries()) {
      const fault = findLoteMemberFault(integration)
      if (fault) ctx.addIssue({ code: 'custom', message: fault.message, path: [index, fault.member] })
    }
    const urls = integrations.map(({ url }) => url)
    for (const [index, url] of urls.entries()) {
      if (urls.indexOf(url) === index) continue
      ctx.addIssue({ code: 'custom', message: 'Must not contain a URL twice', path: [index, 'url'] })
    }
  })

const name = described(EcosystemName, 'The display name, 1 to 50 characters', 'Driving licences')

export const NewEcosystem = z.object({
  name,
  integrations: Integrations.default([]).describe(
    `External lists, which are fetched daily. Issuer validation uses the certificates of VICALs and of lists of issuers. Wallets are admitted under the certificates of lists of wallet providers. Other certificates are only listed. At most ${maxIntegrations}.`,
  ),
})

const reasons = Object.entries(failReasons)
  .map(([type, meaning]) => `${type}: ${meaning}`)
  .join('; ')

const IntegrationResult = named(
  'IntegrationResult',
  'The result of the last fetch',
  z.object({
    success: described(z.boolean(), 'Whether the last attempt fetched a valid list', true),
    lastSyncedAt: Timestamp.describe('When the last attempt was made'),
    lastModifiedAt: Timestamp.optional().describe('The date of the last valid list, which stays in use'),
    pinnedRootFingerprint: z
      .string()
      .optional()
      .describe('The SHA-256 hash in hex of the pinned root. Absent if trust anchors are set.'),
    failReasons: z
      .array(
        z.object({
          type: z.string().describe(reasons),
          message: z.string().describe('What is wrong and what to do'),
        }),
      )
      .optional()
      .describe('Why the last attempt failed'),
    certificatesCount: z.number().optional().describe('The number of certificates in the last valid list'),
    changes: z
      .object({
        added: z.number().describe('The number of new certificates'),
        removed: z.number().describe('The number of removed certificates'),
        changed: z.number().describe('The number of certificates with other document types'),
        at: Timestamp.describe('When the change was found'),
      })
      .optional()
      .describe('The last difference between two successive lists'),
    skippedEntries: z
      .object({
        count: z.number().describe('The number of skipped entries'),
        first: z
          .array(
            z.object({
              index: z.number().describe('The index of the entry, from 0'),
              reason: z.string().describe('Why the entry cannot be used'),
            }),
          )
          .describe('The first ten skipped entries'),
      })
      .optional()
      .describe('The entries of the last valid list that cannot be used'),
  }),
)

export const EcosystemView = z.object({
  id: idOf('ecosystem'),
  name: described(z.string(), 'The display name', 'Driving licences'),
  integrations: z
    .array(
      named(
        'Integration',
        'An external list that the ecosystem uses, and the result of its last fetch',
        z.object({
          format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
          loteType: LoteTypeSchema.optional().describe(loteTypeDescription),
          types: z.array(z.string()).optional().describe(typesDescription),
          url: described(z.string(), shownUrlDescription, exampleListUrl),
          enabled: z.boolean().describe(enabledDescription),
          trustAnchors: z.array(z.string()).optional().describe(anchorDescription),
          integrationResult: withoutExample(IntegrationResult).optional().describe('Absent until the first fetch'),
        }),
      ),
    )
    .describe('The external lists that the ecosystem uses'),
})
