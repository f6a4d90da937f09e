import { say, type Text } from '../../kit/language.ts'
import { nounOf } from './nouns.ts'
import { partsOf } from './outcomes.ts'
import { failedVerbTexts, verbTexts } from './texts.ts'

/** The ends of event types without their outcome, and the verb of the sentence. */
const verbs: readonly [RegExp, keyof typeof failedVerbTexts][] = [
  [/_STATUS_BULK_SET$|_(REVOCATION_SET_STATUS|STATUS_SET)$/, 'status'],
  [/_SIGN_IN$/, 'signIn'],
  [/_SIGN_OUT$/, 'signOut'],
  [/_CREATE$|_REGISTER$/, 'create'],
  [/_(UPDATE|UPSERT)$/, 'update'],
  [/(?<=_SESSION)_DELETE$|_END$/, 'end'],
  [/_(DELETE|UNREGISTER)$/, 'delete'],
  [/_REVOKE$/, 'revoke'],
  [/_ROTATE$/, 'rotate'],
  [/_(RETRIEVE_LIST|RETRIEVE_ALL|SEARCH)$/, 'list'],
  [/_(RETRIEVE|DOWNLOAD|EXPORT|STREAM|DISTRIBUTION)$/, 'read'],
  [/_TEST$/, 'test'],
  [/_SIGN$/, 'sign'],
  [/_VERIFY$/, 'verify'],
  [/_PUBLISH$/, 'publish'],
  [/_START$/, 'begin'],
  [/_PAUSE$/, 'pause'],
  [/_RESUME$/, 'resume'],
  [/_CANCEL$/, 'cancel'],
  [/_RENEW$/, 'renew'],
  [/_APPROVE$/, 'approve'],
  [/_REJECT$/, 'reject'],
  [/^CONFIGURATION_APPLY$/, 'apply'],
]

/** Operations of wallets and people, whose sentence has no other actor. */
const whole: Record<string, Text> = {
  OPENID_TOKEN: verbTexts.token,
  OPENID_CREDENTIAL: verbTexts.credential,
  OPENID_DEFERRED_CREDENTIAL: verbTexts.deferred,
  OPENID_NOTIFICATION: verbTexts.notification,
  OPENID_AUTHORIZE: verbTexts.authorize,
  OPENID_SIGN_IN_REVIEW: verbTexts.review,
  OPENID_CLAIM_LINK_OPEN: verbTexts.linkOpen,
  CLAIM_SOURCE_CALL: verbTexts.sourceCall,
  MANAGEMENT_TOKEN_CREATE: verbTexts.managementToken,
}

/** Words of event types that are no names of objects. */
const prefixes = /^(OPENID_|CREDENTIAL_PROVIDER_)/

/** The names in the sentence of an event. */
export interface SentenceNames {
  /** The caller, as the subject of the sentence. */
  who: string
  /** The object of the event, if it has a name. */
  object: string | undefined
  /** The configuration whose credentials the event is about. */
  configuration: string | undefined
}

/**
 * Returns an event as a sentence: `Anna Rossi revoked 3 credentials of Student card`. An operation without a verb of this list keeps its
 * name in words, after the caller.
 */
export function sentenceOf(type: string, data: Readonly<Record<string, unknown>>, names: SentenceNames): string {
  const { name: operation, outcome } = partsOf(type)
  const own = Object.hasOwn(whole, operation) ? whole[operation] : undefined
  if (own) return say(own)
  const { who, object, configuration } = names
  const { isRevoked, accepted } = data
  if (typeof isRevoked === 'boolean' && typeof accepted === 'number') {
    const sentence = say(isRevoked ? verbTexts.revokeCredentials : verbTexts.restoreCredentials, {
      who,
      count: accepted,
    })
    return configuration === undefined ? sentence : say(verbTexts.of, { sentence, name: configuration })
  }
  const verb = verbs.find(([pattern]) => pattern.test(operation))
  if (!verb) return say(verbTexts.named, { sentence: who, name: nounOf(operation) })
  const [pattern, key] = verb
  const what = nounOf(operation.replace(pattern, '').replace(prefixes, ''))
  const sentence = say(outcome === 'fail' ? failedVerbTexts[key] : verbTexts[key], { who, what })
  return object === undefined ? sentence : say(verbTexts.named, { sentence, name: object })
}
