import { index, json, table, text, timestamp } from '../../columns.ts'

/** The answer of the receiver, as the listener reported it. */
export interface ListenerAnswer {
  status?: number | undefined
  answer?: string | undefined
  error?: string | undefined
}

/** Signed requests that a listener sends to a receiver on its machine. A row is deleted after the attempt. */
export const listenerRequests = table(
  'listener_requests',
  {
    /** Ids are in the order of creation. The id of the event in the stream. */
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    webhookId: text('webhook_id').notNull(),
    /** Method, URL, headers and body. */
    sealedRequest: text('sealed_request').notNull(),
    answer: json<ListenerAnswer>('answer'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('listener_requests_page').on(columns.tenantId, columns.webhookId, columns.id),
    index('listener_requests_age').on(columns.createdAt),
  ],
)
