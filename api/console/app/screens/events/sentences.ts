import { say, type Text } from '../../kit/language.ts'
import { verbTexts } from './texts.ts'

/** The last word of an event type without its outcome, and the sentence about its object. */
const verbs: readonly [RegExp, Text][] = [
  [/_STATUS_BULK_SET$|_(REVOCATION_SET_STATUS|STATUS_SET)$/, verbTexts.status],
  [/_CREATE$|_REGISTER$/, verbTexts.create],
  [/_(UPDATE|UPSERT)$/, verbTexts.update],
  [/_(DELETE|UNREGISTER)$/, verbTexts.delete],
  [/_REVOKE$/, verbTexts.revoke],
  [/_ROTATE$/, verbTexts.rotate],
  [/_(RETRIEVE_LIST|RETRIEVE_ALL|SEARCH)$/, verbTexts.list],
  [/_(RETRIEVE|DOWNLOAD|EXPORT|STREAM|DISTRIBUTION)$/, verbTexts.read],
  [/_TEST$/, verbTexts.test],
  [/_SIGN$/, verbTexts.sign],
  [/_VERIFY$/, verbTexts.verify],
  [/_PUBLISH$/, verbTexts.publish],
]

/** Operations whose sentence is not made of an object and a verb. */
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
  CONSOLE_SIGN_IN: verbTexts.signIn,
  CONSOLE_SIGN_OUT: verbTexts.signOut,
}

/** Words of event types that are no names of objects. */
const prefixes = /^(OPENID_|CREDENTIAL_PROVIDER_)/

/** Returns an operation as a sentence: `Credential status changed: mobile`. Other operations keep their name in words. */
export function sentenceOf(operation: string): string {
  const own = Object.hasOwn(whole, operation) ? whole[operation] : undefined
  if (own) return say(own)
  const verb = verbs.find(([pattern]) => pattern.test(operation))
  if (!verb) return wordsOf(operation)
  const [pattern, text] = verb
  return say(text, { what: wordsOf(operation.replace(pattern, '').replace(prefixes, '')) })
}

function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ').toLowerCase()
  return acronyms.reduce((text, each) => text.replaceAll(each, (match) => match.toUpperCase()), words)
}

const acronyms = [/\b(iaca|did|vical|rical|dts|ca|jwt|sd)\b/g]
