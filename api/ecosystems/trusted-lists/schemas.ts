import { z } from 'zod'
import { Timestamp } from '../../http/fields.ts'
import { InEcosystem } from '../ecosystems/access.ts'
import type { ListWords } from './words.ts'

const Frequency = z.enum(['Daily', 'Weekly'])
const Provider = z.string().trim().min(1, 'Must have 1 to 200 characters').max(200, 'Must have 1 to 200 characters')

const AutoPublish = z.object({ enabled: z.boolean(), frequency: Frequency.default('Daily') })
const Failure = z
  .object({ at: Timestamp, reason: z.string() })
  .describe('Why the last attempt failed to publish a list by itself; it is tried again, and gone when that succeeds')

export function configurationSchemas({ provider }: ListWords) {
  const body = z.object({
    [provider]: Provider.describe('Who publishes the lists, as they say'),
    autoPublish: AutoPublish.optional().describe(
      'While it is enabled, a list is published within a minute, and then one on each day, or in each week from Monday, in UTC',
    ),
  })
  const view = z.object({
    [provider]: z.string(),
    autoPublish: AutoPublish.extend({ configuredAt: Timestamp, lastFailure: Failure.optional() }).optional(),
  })
  return { body, view }
}

/** What `body` of `configurationSchemas` says. */
export interface ConfigurationBody {
  provider: string
  autoPublish: z.output<typeof AutoPublish> | undefined
}

export function listSchemas({ number }: ListWords) {
  const created = z.object({ [number]: z.int(), date: Timestamp })
  const listed = created.extend({ filename: z.string(), isAutoPublished: z.boolean() })
  return { created, listed }
}

/** A number as it stands in a path, of those that the column holds on both databases. */
export const IssueNumber = z.string().regex(/^[1-9]\d{0,8}$/, 'Must be the number of an issue')

const ListedCertificate = z.object({
  certificateFingerprint: z.string().describe('SHA-256 of the certificate, hexadecimal'),
  ski: z.string().describe('Its subject key identifier, hexadecimal'),
  issuer: z.string(),
  subject: z.string(),
  docTypes: z.array(z.string()).describe('Of the later issue, where it is there'),
  notBefore: Timestamp,
  notAfter: Timestamp,
})

/** For people, and for who asks what to look at: nobody has signed it. */
export const ChangesView = z.object({
  added: z.array(ListedCertificate),
  removed: z.array(ListedCertificate),
  changed: z
    .array(ListedCertificate.extend({ formerDocTypes: z.array(z.string()) }))
    .describe('Certificates that are for other types of documents now'),
})

export const ChangesQuery = z.object({ since: IssueNumber.describe('The number of an earlier issue') })

export function OfIssue({ id }: ListWords) {
  return InEcosystem.extend({ [id]: IssueNumber })
}
