import { z } from 'zod'
import { failReasons } from '../../../shared/integrations.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { PemCertificate, Timestamp } from '../../http/fields.ts'

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

const mostIntegrations = 10

const Integration = z.object({
  format: z.literal('VICAL'),
  url: ListUrl.describe('Where the list is published'),
  enabled: z.boolean().default(true),
  trustAnchors: z
    .array(PemCertificate)
    .max(5)
    .default([])
    .describe('Roots under which the list has to be signed; without one, that of the first good list is kept to'),
})

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

export const NewEcosystem = z.object({
  name: EcosystemName,
  integrations: Integrations.default([]).describe(
    'Lists of others, which are fetched daily; their certificates count for issuer-validation',
  ),
})

export const EcosystemUpdate = z.object({
  name: EcosystemName,
  integrations: Integrations.optional().describe('Absent: as they are'),
})

const IntegrationResult = z.object({
  success: z.boolean(),
  lastSyncedAt: Timestamp,
  lastModifiedAt: Timestamp.optional().describe('The date of the last good list, which stays in use'),
  pinnedRootFingerprint: z.string().optional().describe('SHA-256, in hex'),
  failReasons: z
    .array(
      z.object({
        type: z.string().describe(
          Object.entries(failReasons)
            .map(([type, meaning]) => `${type}: ${meaning}`)
            .join('; '),
        ),
        message: z.string().describe('What is wrong, and what to do'),
      }),
    )
    .optional(),
  certificatesCount: z.number().optional().describe('How many certificates the last good list gave'),
  changes: z
    .object({ added: z.number(), removed: z.number(), changed: z.number(), at: Timestamp })
    .optional()
    .describe('What a list said otherwise than the one before, when one last did'),
  skippedEntries: z
    .object({ count: z.number(), first: z.array(z.object({ index: z.number(), reason: z.string() })) })
    .optional()
    .describe('Entries of the last good list that cannot be used, and why the first ten cannot'),
})

export const EcosystemView = z.object({
  id: z.string(),
  name: z.string(),
  integrations: z.array(
    z.object({
      format: z.string(),
      url: z.string(),
      enabled: z.boolean(),
      trustAnchors: z.array(z.string()).optional(),
      integrationResult: IntegrationResult.optional().describe('Absent until the list was fetched'),
    }),
  ),
})
