import { verbOfEvent } from '../../../../../shared/texts/event-verbs.ts'
import { say, type Text } from '../../kit/language.ts'
import { nounOf } from './nouns.ts'
import { partsOf } from './outcomes.ts'
import { failedVerbTexts, verbTexts } from './texts.ts'

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
  const action = verbOfEvent(operation)
  if (!action) return say(verbTexts.named, { sentence: who, name: nounOf(operation) })
  const what = nounOf(action.object)
  const sentence = say((outcome === 'fail' ? failedVerbTexts : verbTexts)[action.verb], { who, what })
  return object === undefined ? sentence : say(verbTexts.named, { sentence, name: object })
}
