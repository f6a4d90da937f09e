import { z } from 'zod'
import { apiVersion, managementApiVersion } from '../../http/api-version.ts'
import { described, named } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { checkReadiness } from './readiness-check.ts'

const Check = named('Health', 'Whether it is there', z.enum(['ok', 'unavailable']))

const Readiness = named(
  'Readiness',
  'Whether a process takes work',
  z.object({
    status: Check,
    phase: described(
      z.enum(['starting', 'serving', 'stopping']),
      'A process that stops ends soon: ask another one',
      'serving',
    ),
    checks: z
      .object({
        database: Check,
        redis: Check,
        signing: Check.describe('Whether a signing process is there'),
      })
      .describe('What this process needs'),
    problems: z
      .array(z.string())
      .describe(
        'What somebody has to do something about, in words; also of what does not keep this process from working',
      ),
  }),
)

export const serviceRoutes = [
  defineRoute({
    operation: 'live',
    summary: 'Whether the process runs, and the versions of its interface',
    tag: 'Service',
    method: 'GET',
    path: '/health/live',
    host: 'any',
    access: anyone,
    status: 200,
    response: z.object({
      status: z.literal('ok').describe('The process runs'),
      apiVersion: described(z.string(), 'The version of the interface', apiVersion),
      managementApiVersion: described(z.string(), 'The version of the management API', managementApiVersion),
    }),
    async handle() {
      return { status: 'ok', apiVersion, managementApiVersion }
    },
  }),
  defineRoute({
    operation: 'ready',
    summary:
      'Whether this process takes work: it neither starts nor stops, and database, Redis and a signing worker are there',
    tag: 'Service',
    method: 'GET',
    path: '/health/ready',
    host: 'any',
    access: anyone,
    status: 200,
    response: Readiness,
    representations: { statuses: { 503: { description: 'Something is missing', response: Readiness } } },
    async handle({ deps }) {
      const { isReady, phase, checks, problems } = await checkReadiness(deps)
      if (isReady) return { status: 'ok', phase, checks, problems }
      return new Answer(
        { status: 'unavailable', phase, checks, problems },
        { status: 503, headers: { 'Retry-After': '2' } },
      )
    },
  }),
]
