import type { Reader } from '../../../db/client.ts'
import { findWebhook, type WebhookRow } from '../../../db/repos/operations/webhooks/webhooks.ts'
import { notFound } from '../../../shared/errors/errors.ts'

/** Returns the webhook in the path, which is not a listener. Throws `not_found`. */
export async function getWebhook(db: Reader, tenantId: string, id: string): Promise<WebhookRow> {
  const webhook = await getWebhookOrListener(db, tenantId, id)
  if (webhook.leasedUntil !== null) throw notFound('webhookId', id)
  return webhook
}

/** Returns the webhook or listener in the path. Throws `not_found`. */
export async function getWebhookOrListener(db: Reader, tenantId: string, id: string): Promise<WebhookRow> {
  const webhook = await findWebhook(db, tenantId, id)
  if (!webhook) throw notFound('webhookId', id)
  return webhook
}
