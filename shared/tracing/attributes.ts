/** The attributes that a span can have: ids, and words of this project. They never have claims, names, addresses or texts of callers. */
export type SpanAttributes = { [name in AttributeName]?: string | number | undefined }

const names = [
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

export type AttributeName = (typeof names)[number]

const allowedNames = new Set<string>(names)
const idOrWord = /^[\w.:-]{1,100}$/

/** Returns the allowed attributes. Leaves out other names, and texts that are neither an id nor a word. */
export function allowedAttributes(given: SpanAttributes): Record<string, string | number> {
  const allowed: Record<string, string | number> = {}
  for (const name in given) {
    const value = given[name as AttributeName]
    if (value === undefined || !allowedNames.has(name)) continue
    if (typeof value === 'number' || idOrWord.test(value)) allowed[name] = value
  }
  return allowed
}

/** The members of payloads of jobs that become attributes. */
const ofPayloads = {
  tenantId: 'trustwright.tenant.id',
  issuanceId: 'trustwright.issuance.id',
  kind: 'trustwright.subject.kind',
  subjectId: 'trustwright.subject.id',
  webhookId: 'trustwright.webhook.id',
  deliveryId: 'trustwright.delivery.id',
} as const satisfies Record<string, AttributeName>

/** Returns the ids in the payload of a job, or in one of its items. */
export function attributesOfPayload(payload: object): SpanAttributes {
  const attributes: SpanAttributes = {}
  for (const [member, name] of Object.entries(ofPayloads)) {
    const value: unknown = Reflect.get(payload, member)
    if (typeof value === 'string') attributes[name] = value
  }
  return attributes
}
