/** The attributes that a span can have: ids, and words of this project. They never have claims, names, addresses or texts of callers. */
export type SpanAttributes = { [name in AttributeName]?: string | number | undefined }

const attributeNames = [
  'trustwright.tenant.id',
  'trustwright.request.id',
  'trustwright.client.id',
  'trustwright.offer.id',
  'trustwright.session.id',
  'trustwright.issuance.id',
  'trustwright.subject.kind',
  'trustwright.subject.id',
  'trustwright.webhook.id',
  'trustwright.delivery.id',
  'trustwright.job',
  'trustwright.attempt',
  'trustwright.problem',
  'http.request.method',
  'http.response.status_code',
  'error.type',
] as const

export type AttributeName = (typeof attributeNames)[number]

const allowedNames = new Set<string>(attributeNames)
const idOrWord = /^[\w.:-]{1,100}$/

/** Returns the allowed attributes. Leaves out other names, and texts that are neither an id nor a word. */
export function allowedAttributes(attributes: SpanAttributes): Record<string, string | number> {
  const allowed: Record<string, string | number> = {}
  for (const name in attributes) {
    const value = attributes[name as AttributeName]
    if (value === undefined || !allowedNames.has(name)) continue
    if (typeof value === 'number' || idOrWord.test(value)) allowed[name] = value
  }
  return allowed
}

/** Returns the ids in the payload of a job, or in one of its items. */
export function attributesOfPayload(payload: object): SpanAttributes {
  const { tenantId, issuanceId, kind, subjectId, webhookId, deliveryId }: PayloadIds = payload
  return {
    'trustwright.tenant.id': textOf(tenantId),
    'trustwright.issuance.id': textOf(issuanceId),
    'trustwright.subject.kind': textOf(kind),
    'trustwright.subject.id': textOf(subjectId),
    'trustwright.webhook.id': textOf(webhookId),
    'trustwright.delivery.id': textOf(deliveryId),
  }
}

/** The members of payloads that become attributes. */
type PayloadIds = {
  [Name in 'tenantId' | 'issuanceId' | 'kind' | 'subjectId' | 'webhookId' | 'deliveryId']?: unknown
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
