import type { z } from 'zod'
import type { Schemas } from './openapi-schemas.ts'

/** A request that the service sends to a registered URL. */
export interface WebhookDescription {
  /** The type of the event. */
  event: string
  tag: string
  summary: string
  description: string
  /** The name of the body's schema. */
  name: string
  headers: z.ZodObject
  body: z.ZodType
  /** The reaction of the service to an answer, by its status. */
  answers: Readonly<Record<string, string>>
}

export function printWebhooks(webhooks: readonly WebhookDescription[], schemas: Schemas): Record<string, object> {
  return Object.fromEntries(webhooks.map((webhook) => [webhook.event, { post: printed(webhook, schemas) }]))
}

function printed({ event, tag, summary, description, headers, body, answers }: WebhookDescription, schemas: Schemas) {
  return {
    operationId: `receive${event}`,
    summary,
    description,
    tags: [tag],
    // The request is authenticated by its signature.
    security: [],
    parameters: schemas.membersOf(headers).map(({ name, required, schema: { description: said, ...schema } }) => ({
      name,
      in: 'header',
      required,
      description: said,
      schema,
    })),
    requestBody: { required: true, content: { 'application/json': schemas.ofResponse(body) } },
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, meaning]) => [status, { description: meaning }]),
    ),
  }
}
