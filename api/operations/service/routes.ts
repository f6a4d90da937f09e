import { z } from 'zod'
import { apiVersion, managementApiVersion } from '../../http/api-version.ts'
import { described, named } from '../../http/fields.ts'
import { Answer } from '../../http/representations/answer.ts'
import { anyone, defineRoute } from '../../http/route.ts'
import { KeyProviderName } from '../../tenancy/tenants/key-provider.ts'
import { checkReadiness } from './readiness-check.ts'

const Check = named('Health', 'Whether a dependency is available', z.enum(['ok', 'unavailable']))

const Readiness = named(
  'Readiness',
  'The readiness of a process',
  z.object({
    status: Check,
    phase: described(z.enum(['starting', 'serving', 'stopping']), 'The lifecycle phase of the process', 'serving'),
    checks: z
      .object({
        database: Check,
        redis: Check,
        signing: Check.describe('Whether a signing process runs'),
      })
      .describe('The dependencies of this process'),
    queue: described(
      z.enum(['redis', 'database']),
      'Where the queues are. With `database`, the check `redis` is the check of the database',
      'redis',
    ),
    keyProviders: z
      .array(
        z.object({
          name: KeyProviderName.describe('The provider'),
          status: Check.describe('Whether it answers each signing process'),
        }),
      )
      .optional()
      .describe('The providers of private keys besides the database. Absent if there are none'),
    problems: z
      .array(z.string())
      .describe('The problems that the operator must solve. Some do not make the process unavailable'),
  }),
)

export const serviceRoutes = [
  defineRoute({
    operation: 'live',
    summary: 'Check whether the process runs, and show the versions of its interface',
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
    summary: 'Check whether this process serves requests and its dependencies are available',
    tag: 'Service',
    method: 'GET',
    path: '/health/ready',
    host: 'any',
    access: anyone,
    status: 200,
    response: Readiness,
    representations: { statuses: { 503: { description: 'The process is not ready', response: Readiness } } },
    async handle({ deps }) {
      const { isReady, phase, checks, queue, keyProviders, problems } = await checkReadiness(deps)
      const answer = { phase, checks, queue, ...(keyProviders.length > 0 && { keyProviders }), problems }
      if (isReady) return { status: 'ok', ...answer }
      return new Answer({ status: 'unavailable', ...answer }, { status: 503, headers: { 'Retry-After': '2' } })
    },
  }),
]
