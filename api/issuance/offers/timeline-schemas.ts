import { z } from 'zod'
import { described, idOf, named, Timestamp, withoutExample } from '../../http/fields.ts'
import { OfferCheck } from './schemas.ts'

export const OfferTimelineView = z.object({
  data: z
    .array(
      z.object({
        at: Timestamp.describe('When the step began, or when it was recorded if its beginning is not known'),
        step: described(z.string(), 'The name of the step', 'token'),
        outcome: described(
          named('Outcome', 'The outcome of an operation', z.enum(['success', 'failure'])),
          'The outcome of the step',
          'success',
        ),
        reason: z
          .string()
          .optional()
          .describe('The reason of the refusal or the result. Never contains the value of a claim'),
        passed: z
          .array(OfferCheck)
          .optional()
          .describe('The checks that passed or did not apply, in their order. Absent if the step has no checks'),
        refusedBy: z
          .object({
            check: described(OfferCheck, 'The name of the check', 'code_verifier'),
            clause: described(z.string(), 'The clause of the standard that requires it', 'RFC 7636, section 4.6'),
          })
          .optional()
          .meta({ description: 'The check that refused it', examples: [] }),
        requestId: idOf('request').optional().describe('The id of the request in the log and in events'),
        userId: idOf('user').optional().describe('The user of the step'),
        sessionId: idOf('session').optional().describe('The id of the access token in webhooks'),
        view: idOf('view').optional().describe('The view of the step. Absent: the issuer of the tenant itself'),
        webhookId: withoutExample(idOf('webhook')).optional().describe('The webhook that was called'),
        webhookHost: z.string().optional().describe('The host of that webhook, without its path'),
      }),
    )
    .describe('The steps of the offer, in the order in which they began'),
})
