/**
 * The events of changes, with the members of their payloads in order. All members are ids, times or words of fixed lists. A payload has no
 * personal data.
 */
export const changeMembers = {
  CredentialRevoked: ['credentialId'],
  CredentialStatusChanged: ['credentialId', 'status'],
  PublicationFailed: ['ecosystemId', 'list'],
  WebhookDisabled: ['disabledWebhookId', 'reason'],
  KeyRotated: ['keyId', 'use'],
  UserErased: ['userId', 'erasureId'],
} as const

export type ChangeKind = keyof typeof changeMembers
// Boundary: the keys of the table are the kinds.
export const changeKinds = Object.keys(changeMembers) as ChangeKind[]

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
])

/** The reasons for which the service or an operator disables a webhook. */
export const disabledReasons = ['gone', 'failing', 'operator'] as const
export type DisabledReason = (typeof disabledReasons)[number]

interface Change {
  kind: ChangeKind
  at: Date
  payload: Record<string, string>
}

/** Returns the subject of the event of a change. It contains the change, which no row keeps. */
export function changeSubject<Kind extends ChangeKind>(kind: Kind, payload: ChangePayload<Kind>, at: Date): string {
  // Boundary: the members of the kind are the keys of the payload.
  const values = changeMembers[kind].map((member) => (payload as Record<string, string>)[member])
  return [kind, at.getTime(), ...values].join('.')
}

/** Reads such a subject. Returns undefined for a kind that only another version has. */
export function readChangeSubject(subject: string): Change | undefined {
  const [kind = '', at, ...values] = subject.split('.')
  if (!isChangeKind(kind)) return undefined
  const payload = Object.fromEntries(changeMembers[kind].map((member, place) => [member, values[place] ?? '']))
  return { kind, at: new Date(Number(at)), payload }
}

/** Returns the members of the payload of a kind. Returns undefined for a kind that is not about a change. */
export function findChangeMembers(kind: string): readonly string[] | undefined {
  return isChangeKind(kind) ? changeMembers[kind] : undefined
}

function isChangeKind(kind: string): kind is ChangeKind {
  return Object.hasOwn(changeMembers, kind)
}
