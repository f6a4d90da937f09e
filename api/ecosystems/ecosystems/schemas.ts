import { z } from 'zod'
import { type IntegrationFormat as Format, failReasons } from '../../../shared/domain/ecosystems/integrations.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { described, idOf, named, PemCertificate, Timestamp, unexampled } from '../../http/fields.ts'

/** Of ecosystems and of what is in them. */
export const EcosystemName = z
  .string()
  .trim()
  .min(1, 'Must have 1 to 50 characters')
  .max(50, 'Must have 1 to 50 characters')

/** Checked again where the configuration is known: loopback is for development. */
const ListUrl = z.string().superRefine((url, ctx) => {
  const refusal = findUrlFault(url, { allowLoopback: true, allowQuery: true })
  if (refusal) ctx.addIssue({ code: 'custom', message: refusal })
})

export const mostIntegrations = 10

export const listUrlWords = 'Where the list is published'
export const exampleListUrl = 'https://lists.example.org/vical.cbor'
const enabledWords = 'Whether the list is fetched, and the certificates of a VICAL count'
const anchorWords = 'Roots under which the list has to be signed; without one, that of the first good list is kept to'

export const IntegrationFormatSchema = named(
  'IntegrationFormat',
  "The format of a list: a VICAL lists issuers' authorities, a RICAL readers' authorities",
  z.enum(['VICAL', 'RICAL'] satisfies Format[]),
)

const Integration = named(
  'NewIntegration',
  'A list of others that an ecosystem takes over',
  z.object({
    format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
    url: described(ListUrl, listUrlWords, exampleListUrl),
    enabled: described(z.boolean().default(true), enabledWords, false),
    trustAnchors: z
      .array(PemCertificate)
      .max(5)
      .default([])
      .meta({ description: `${anchorWords}. At most 5`, examples: [[]] }),
  }),
)

const Integrations = z
  .array(Integration)
  .max(mostIntegrations)
  .superRefine((integrations, ctx) => {
    const urls = integrations.map(({ url }) => url)
    for (const [at, url] of urls.entries()) {
      if (urls.indexOf(url) === at) continue
      ctx.addIssue({ code: 'custom', message: 'Must not name a list twice', path: [at, 'url'] })
    }
  })

const name = described(EcosystemName, 'What people call it, 1 to 50 characters', 'Driving licences')

export const NewEcosystem = z.object({
  name,
  integrations: Integrations.default([]).describe(
    `Lists of others, which are fetched daily; the certificates of VICALs count for issuer-validation, those of RICALs for nothing. At most ${mostIntegrations}`,
  ),
})

const reasons = Object.entries(failReasons)
  .map(([type, meaning]) => `${type}: ${meaning}`)
  .join('; ')

const IntegrationResult = named(
  'IntegrationResult',
  'What came of fetching the list',
  z.object({
    success: described(z.boolean(), 'Whether the last attempt gave a good list', true),
    lastSyncedAt: Timestamp.describe('When it was last tried'),
    lastModifiedAt: Timestamp.optional().describe('The date of the last good list, which stays in use'),
    pinnedRootFingerprint: z
      .string()
      .optional()
      .describe('SHA-256, in hex, of the root that the list is held to, where no trust anchor is named'),
    failReasons: z
      .array(
        z.object({
          type: z.string().describe(reasons),
          message: z.string().describe('What is wrong, and what to do'),
        }),
      )
      .optional()
      .describe('Why the last attempt did not give a good list'),
    certificatesCount: z.number().optional().describe('How many certificates the last good list gave'),
    changes: z
      .object({
        added: z.number().describe('Certificates that are new'),
        removed: z.number().describe('Certificates that are gone'),
        changed: z.number().describe('Certificates that are for other document types'),
        at: Timestamp.describe('When that was found'),
      })
      .optional()
      .describe('What a list said otherwise than the one before, when one last did'),
    skippedEntries: z
      .object({
        count: z.number().describe('How many'),
        first: z
          .array(
            z.object({
              index: z.number().describe('Which entry, from 0'),
              reason: z.string().describe('Why it cannot be used'),
            }),
          )
          .describe('The first ten'),
      })
      .optional()
      .describe('Entries of the last good list that cannot be used, and why the first ten cannot'),
  }),
)

export const EcosystemView = z.object({
  id: idOf('ecosystem'),
  name: described(z.string(), 'What people call it', 'Driving licences'),
  integrations: z
    .array(
      named(
        'Integration',
        'A list of others that the ecosystem takes over, and how that goes',
        z.object({
          format: described(IntegrationFormatSchema, 'The format of the list', 'VICAL'),
          url: described(z.string(), listUrlWords, exampleListUrl),
          enabled: z.boolean().describe(enabledWords),
          trustAnchors: z.array(z.string()).optional().describe(anchorWords),
          integrationResult: unexampled(IntegrationResult).optional().describe('Absent until the list was fetched'),
        }),
      ),
    )
    .describe('Lists of others that it takes over'),
})
