import type { Schemas } from '../../kit/api.ts'
import { isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { type NamedKind, useNamed } from '../../kit/names.ts'
import { kindOf } from './links.ts'
import { sentenceOf } from './sentences.ts'
import { verbTexts } from './texts.ts'

type Event = Schemas['Event']

/** Returns an event as a sentence. Loads the names of the caller and of the object, if the roles of the user allow it. */
export function useSentence({ type, category, data, clientId, managementUserId, walletClientId }: Event): string {
  const client = useNamed('client', clientId)
  const [kind, id] = objectOf(data, type)
  const object = useNamed(kind, id)
  const { filter } = data
  const configurationId = isRecord(filter) ? filter.configurationId : undefined
  const configuration = useNamed('configuration', typeof configurationId === 'string' ? configurationId : undefined)
  const who =
    managementUserId ??
    (clientId && (client?.name ?? say(verbTexts.byClient, { id: `${clientId.slice(0, 8)}…` }))) ??
    say(walletClientId ? verbTexts.byWallet : category === 'AUDIT' ? verbTexts.byService : verbTexts.byNoCaller)
  return sentenceOf(type, data, { who, object: object?.name, configuration: configuration?.name })
}

/** Returns the object of an event that has a name. A client that the event is about is not its caller. */
function objectOf(data: Event['data'], type: string): [NamedKind, string | undefined] {
  for (const [name, value] of Object.entries(data)) {
    const kind = typeof value === 'string' ? kindOf(name, type) : undefined
    if (kind) return [kind, String(value)]
  }
  return ['user', undefined]
}
