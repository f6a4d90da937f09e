import { expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { verbOfEvent } from '../../shared/texts/event-verbs.ts'

/** The console and the command line show these events by their name in words, or by a sentence of their own. */
const withoutVerb = [
  'BULK_ISSUANCE_RESULT_CONFIRM',
  'BULK_ISSUANCE_RETRY',
  'OPENID_CLAIM_LINK_OPEN',
  'OPENID_AUTHORIZE',
  'OPENID_PUSHED_AUTHORIZATION',
  'OPENID_AUTHENTICATION_PROVIDER_AUTHORIZE',
  'OPENID_INTERACTION_HOOK',
  'OPENID_SIGN_IN_REVIEW',
  'OPENID_TOKEN',
  'OPENID_CREDENTIAL',
  'OPENID_DEFERRED_CREDENTIAL',
  'OPENID_NOTIFICATION',
  'WEBHOOK_REPLAY',
  'WEBHOOK_DELIVERY_REPLAY',
  'PRESENTATION_QUERY_EVALUATE',
  'MESSAGING_ENCRYPT',
  'MESSAGING_DECRYPT',
  'MESSAGING_SEND',
  'ECOSYSTEM_VALIDATE_PARTICIPANT',
  'ECOSYSTEM_TENANT_SYNC_ALL',
  'CONFIGURATION_PLAN',
]

test('the sentence of each event has a verb, or the event is one of those without', () => {
  const events = new Set(routes.flatMap(({ event }) => event ?? []))
  expect([...events].filter((event) => !verbOfEvent(event)).sort()).toEqual(withoutVerb.toSorted())
})

test('an event of unused keys says that a key was deleted', () => {
  expect(verbOfEvent('KEY_UNUSED_DESTROY')).toEqual({ verb: 'delete', object: 'KEY' })
})
