/** The verb of the sentence of an event. The console and the command line have its texts. */
export type EventVerb =
  | 'status'
  | 'signIn'
  | 'signOut'
  | 'create'
  | 'update'
  | 'end'
  | 'delete'
  | 'revoke'
  | 'rotate'
  | 'list'
  | 'read'
  | 'test'
  | 'sign'
  | 'verify'
  | 'publish'
  | 'begin'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'renew'
  | 'approve'
  | 'reject'
  | 'apply'

/** The ends of event types without their outcome, and their verb. */
const verbs: readonly (readonly [RegExp, EventVerb])[] = [
  [/_STATUS_BULK_SET$|_(REVOCATION_SET_STATUS|STATUS_SET)$/, 'status'],
  [/_SIGN_IN$/, 'signIn'],
  [/_SIGN_OUT$/, 'signOut'],
  [/_CREATE$|_REGISTER$/, 'create'],
  [/_(UPDATE|UPSERT)$/, 'update'],
  [/(?<=_SESSION)_DELETE$|_END$/, 'end'],
  [/_(DELETE|UNREGISTER|UNUSED_DESTROY)$/, 'delete'],
  [/_REVOKE$/, 'revoke'],
  [/_ROTATE$/, 'rotate'],
  [/_(RETRIEVE_LIST|RETRIEVE_ALL|SEARCH)$/, 'list'],
  [/_(RETRIEVE|RETRIEVE_LATEST|DOWNLOAD|EXPORT|STREAM|DISTRIBUTION)$/, 'read'],
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

/** Words of event types that are no names of objects. */
const prefixes = /^(OPENID_|CREDENTIAL_PROVIDER_)/

/**
 * Returns the verb of an event type without its outcome, and the rest of the type, which names the kind of object: `WEBHOOK_DELETE` has the
 * verb `delete` and the object `WEBHOOK`. Returns undefined for a type without a verb of the list.
 */
export function verbOfEvent(operation: string): { verb: EventVerb; object: string } | undefined {
  const [pattern, verb] = verbs.find(([each]) => each.test(operation)) ?? []
  return pattern && verb && { verb, object: operation.replace(pattern, '').replace(prefixes, '') }
}
