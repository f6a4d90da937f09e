import { z } from 'zod'
import { described, idOf, Name, named, withoutExample } from '../../http/fields.ts'
import { ExpiresIn } from '../../issuance/configurations/expires-in.ts'
import { Dcql, queryFields } from '../queries/dcql-schemas.ts'

const Trust = z.discriminatedUnion(
  'issuers',
  [
    named(
      'TrustAll',
      'Trusts the issuers of the tenant',
      z.object({ issuers: z.literal('all').describe('The IACAs and the trusted issuers of the tenant') }),
    ),
    named(
      'TrustList',
      'Trusts the issuers of an ecosystem',
      z.object({
        issuers: z.literal('list').describe('The participants of an ecosystem, for the types that they may issue'),
        ecosystemId: idOf('ecosystem').describe('The ecosystem'),
      }),
    ),
  ],
  { error: 'Must be all or list' },
)

const name = described(Name, 'The name of the template', 'Age of majority')
const purpose = described(
  z.string().trim().min(1).max(300),
  'Why the credentials are needed. People read it before they answer',
  'To sell alcohol',
)
const status = named(
  'StatusCheck',
  'Which status a credential needs',
  z.enum(['required', 'ifPresent', 'ignored']),
).describe('`required`: it must have a valid status. `ifPresent`: its status must be valid, if it has one')
const maxAgeOfStatus = withoutExample(z.int().min(60).max(31_536_000)).describe(
  'The maximum age of a status list, in seconds. Default: until the list ends',
)
const keep = named('KeptContent', 'What stays of an answer', z.enum(['nothing', 'claims', 'presentation'])).describe(
  'What stays of an answer: nothing, its claims, or the whole presentation',
)

const keepFor = described(
  ExpiresIn,
  'How long the kept content stays. It has no effect if `keep` is `nothing`. Default: 30 days',
  { days: 7 },
)

export const VerifierTemplate = z.object({
  name,
  purpose: purpose.exactOptional(),
  ...queryFields,
  trust: described(Trust.default({ issuers: 'all' }), 'The trusted issuers. Default: all', { issuers: 'all' }),
  status: status.default('ifPresent'),
  maxAgeOfStatus: maxAgeOfStatus.exactOptional(),
  keep: keep.default('nothing'),
  keepFor: keepFor.default({ days: 30 }),
})

export const VerifierTemplateView = z.object({
  id: idOf('verifier template'),
  name,
  purpose: purpose.optional(),
  dcqlQuery: Dcql.describe('The query'),
  trust: described(Trust, 'The trusted issuers', { issuers: 'all' }),
  status,
  maxAgeOfStatus: maxAgeOfStatus.optional(),
  keep,
  keepFor,
})
