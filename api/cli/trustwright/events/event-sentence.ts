import type { components } from '../../../../shared/client/client.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { type EventVerb, verbOfEvent } from '../../../../shared/texts/event-verbs.ts'

export type Event = components['schemas']['Event']

/** The verb of a sentence in the past, and after "could not". */
type Verb = readonly [past: string, infinitive: string]

const verbs: Record<EventVerb, Verb> = {
  status: ['changed the status of', 'change the status of'],
  signIn: ['signed in to', 'sign in to'],
  signOut: ['signed out of', 'sign out of'],
  create: ['created', 'create'],
  update: ['changed', 'change'],
  end: ['ended', 'end'],
  delete: ['deleted', 'delete'],
  revoke: ['revoked', 'revoke'],
  rotate: ['replaced', 'replace'],
  list: ['listed objects such as', 'list objects such as'],
  read: ['read', 'read'],
  test: ['tested', 'test'],
  sign: ['signed', 'sign'],
  verify: ['verified', 'verify'],
  publish: ['published', 'publish'],
  begin: ['started', 'start'],
  pause: ['paused', 'pause'],
  resume: ['continued', 'continue'],
  cancel: ['cancelled', 'cancel'],
  renew: ['renewed', 'renew'],
  approve: ['approved', 'approve'],
  reject: ['rejected', 'reject'],
  apply: ['applied', 'apply'],
}

/** Operations whose sentence is not made of a verb and an object. Most of them have no caller who is known. */
const others: Record<string, readonly [subject: string, ...Verb]> = {
  OPENID_TOKEN: ['A wallet', 'exchanged a code for a token', 'exchange a code for a token'],
  OPENID_CREDENTIAL: ['A wallet', 'requested a credential', 'get a credential'],
  OPENID_DEFERRED_CREDENTIAL: ['A wallet', 'requested a deferred credential', 'get a deferred credential'],
  OPENID_NOTIFICATION: ['A wallet', 'sent a notification', 'send a notification'],
  OPENID_AUTHORIZE: ['A wallet', 'requested an authorization', 'get an authorization'],
  OPENID_SIGN_IN_REVIEW: ['A person', 'reviewed what will be issued', 'review what will be issued'],
  OPENID_CLAIM_LINK_OPEN: ['A person', 'opened a claim link', 'open a claim link'],
  CLAIM_SOURCE_CALL: ['The service', 'called a claim source', 'call a claim source'],
  CONFIGURATION_APPLY: ['The service', 'applied configuration files', 'apply configuration files'],
  CONSOLE_SIGN_IN: ['A person', 'signed in to the console', 'sign in to the console'],
  CONSOLE_SIGN_OUT: ['A person', 'signed out of the console', 'sign out of the console'],
}

/** The names in the sentence of an event. */
export interface EventNames {
  /** The client or the person. Undefined if the request had none. */
  caller: string | undefined
  /** The configuration whose credentials a status change is about. */
  configuration: string | undefined
}

/** Returns an event as a sentence: `Anna Rossi revoked 3 credentials of Student card`. */
export function sentenceOfEvent({ type, category, data }: Event, { caller, configuration }: EventNames): string {
  const operation = type.replace(/_(START|SUCCESS|FAIL|AUDIT)$/, '')
  const other = Object.hasOwn(others, operation) ? others[operation] : undefined
  const who = caller ?? other?.[0] ?? (category === 'AUDIT' ? 'The service' : 'An anonymous request')
  const choose = ([past, infinitive]: Verb) => {
    if (type.endsWith('_FAIL')) return `could not ${infinitive}`
    return type.endsWith('_START') ? `asked to ${infinitive}` : past
  }
  const reason = isJsonObject(data.error) && typeof data.error.message === 'string' ? `. ${data.error.message}` : ''
  if (other) return `${who} ${choose([other[1], other[2]])}${reason}`
  const { isRevoked, accepted, id } = data
  if (typeof isRevoked === 'boolean' && typeof accepted === 'number') {
    const credentials = `${accepted} ${accepted === 1 ? 'credential' : 'credentials'}`
    const change = `${isRevoked ? 'revoked' : 'undid the revocation of'} ${credentials}`
    return `${who} ${change}${configuration === undefined ? '' : ` of ${configuration}`}`
  }
  const action = verbOfEvent(operation)
  const noun = wordsOf(action?.object ?? operation)
  const verb = action ? verbs[action.verb] : (['called', 'call'] as const)
  const object = `${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}`
  return `${who} ${choose(verb)} ${object}${typeof id === 'string' ? `: ${id}` : ''}${reason}`
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase()
  return words.replace(/\b(iaca|did|vical|rical|lote|dts|ca|jwt|sd)\b/g, (acronym) => acronym.toUpperCase())
}
