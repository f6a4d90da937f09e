import { z } from 'zod'
import { anyone, defineRoute } from '../http/route.ts'

export const serviceRoutes = [
  defineRoute({
    operation: 'live',
    summary: 'Whether the process runs',
    tag: 'Service',
    method: 'GET',
    path: '/health/live',
    host: 'any',
    access: anyone,
    status: 200,
    response: z.object({ status: z.literal('ok') }),
    async handle() {
      return { status: 'ok' }
    },
  }),
]
