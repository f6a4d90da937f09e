import { z } from 'zod'
import { findLoopbackFault } from '../../../shared/outbound/find-loopback-fault.ts'
import { described, idOf, Timestamp } from '../../http/fields.ts'
import { Events } from './schemas.ts'

const exampleUrl = 'http://localhost:4000/hooks'

const LoopbackUrl = z
  .string()
  .max(2000)
  .superRefine((url, ctx) => {
    const message = findLoopbackFault(url)
    if (message !== undefined) ctx.addIssue({ code: 'custom', message })
  })

export const NewListener = z.object({
  events: Events,
  forwardTo: described(
    LoopbackUrl,
    'The URL of the receiver on the machine of the listener. Requests are signed for it. http or https, with a loopback host',
    exampleUrl,
  ),
})

export const ListenerView = z.object({
  id: idOf('listener'),
  events: described(z.array(z.string()), 'The event types that it receives', ['OpenIdCredentialIssuedSummary']),
  forwardTo: described(z.string(), 'The URL of the receiver on the machine of the listener', exampleUrl),
  leasedUntil: Timestamp.describe('The time at which it is removed, unless a stream is open'),
})

export const ReportedAnswer = z.object({
  status: described(
    z.int().min(100).max(599),
    'The status of the answer of the receiver. Absent if it did not answer',
    200,
  ).optional(),
  answer: z.string().max(1024).optional().describe('The start of the answer, at most 1024 characters'),
  error: z.string().min(1).max(500).optional().describe('The reason if the receiver did not answer'),
})
