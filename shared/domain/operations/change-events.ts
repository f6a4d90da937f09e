/**
 * The events of changes, with the members of their payloads in order. All members are ids, times or words of fixed lists. A payload has no
 * personal data.
 */
const changeMembers = {
  CredentialRevoked: ['credentialId'],
  CredentialStatusChanged: ['credentialId', 'status'],
  PublicationFailed: ['ecosystemId', 'list'],
  WebhookDisabled: ['disabledWebhookId', 'reason'],
  KeyRotated: ['keyId', 'use'],
  UserErased: ['userId', 'erasureId'],
  OfferExpired: ['credentialOfferId'],
  OfferFailed: ['credentialOfferId', 'check'],
  CertificateEnding: ['certificateId', 'endsAt'],
  ApprovalChanged: ['approvalId', 'state'],
} as const

export type ChangeKind = keyof typeof changeMembers
// Boundary: the keys of the table are the kinds.
export const changeKinds = Object.keys(changeMembers) as ChangeKind[]

/** The kinds that no request causes. A job finds these events when their time has come. */
const foundKinds = ['OfferExpired', 'OfferFailed', 'CertificateEnding'] as const satisfies readonly ChangeKind[]
export type FoundKind = (typeof foundKinds)[number]

/** Whether a job finds the events of this kind. */
export function isFoundKind(kind: string): kind is FoundKind {
  return foundKinds.some((foundKind) => foundKind === kind)
}

/** Whether a webhook with these kinds receives events that a job finds. */
export function receivesFound(events: readonly string[]): boolean {
  return foundKinds.some((kind) => events.includes(kind))
}

/** The days before the end of a certificate on which it is reported. The service renews its own signers sooner. */
export const certificateEndingDays = [14, 3] as const

/** The payload of an event of this kind. */
export type ChangePayload<Kind extends ChangeKind> = Record<(typeof changeMembers)[Kind][number], string>

/**
 * The kinds about a person. A receiver can answer with personal data, and an erasure does not find these deliveries. Therefore their answers
 * are not stored.
 */
export const kindsAboutPersons: ReadonlySet<string> = new Set<ChangeKind>([
  'CredentialRevoked',
  'CredentialStatusChanged',
  'UserErased',
  'OfferExpired',
  'OfferFailed',
])

/** The reasons for which the service or an operator disables a webhook. */
const disabledReasons = ['gone', 'failing', 'operator'] as const
export type DisabledReason = (typeof disabledReasons)[number]

interface Change {
  kind: ChangeKind
  at: Date
  payload: Record<string, string>
}

/** Returns the subject of the event of a change. It contains the change, which no row keeps. */
export function changeSubject(kind: ChangeKind, payload: Readonly<Record<string, string>>, at: Date): string {
  const values = changeMembers[kind].map((member) => {
    const value = payload[member] ?? ''
    return isTime(member) ? Date.parse(value) : value
  })
  return [kind, at.getTime(), ...values].join('.')
}

/** Reads such a subject. Returns undefined for a kind that only another version has. */
export function readChangeSubject(subject: string): Change | undefined {
  const [kind = '', at, ...values] = subject.split('.')
  if (!isChangeKind(kind)) return undefined
  const payload = Object.fromEntries(
    changeMembers[kind].map((member, place) => {
      const value = values[place] ?? ''
      return [member, isTime(member) ? new Date(Number(value)).toISOString() : value]
    }),
  )
  return { kind, at: new Date(Number(at)), payload }
}

/** Times are in milliseconds in a subject, because it is the id of a row. */
function isTime(member: string): boolean {
  return member.endsWith('At')
}

/** Returns the members of the payload of a kind. Returns undefined for a kind that is not about a change. */
export function findChangeMembers(kind: string): readonly string[] | undefined {
  return isChangeKind(kind) ? changeMembers[kind] : undefined
}

function isChangeKind(kind: string): kind is ChangeKind {
  return Object.hasOwn(changeMembers, kind)
}
