import { type ReceivedDelivery, type ReceiverAnswer, startReceiver } from './receiver.ts'

/** A host of did:web documents. Each subject receives messages at one address. */
export interface Recipient {
  /** The DID of a subject. */
  did(name: string): string
  /** The messages of a subject in order, independent of the answers. */
  messages(name: string): ReceivedDelivery[]
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

export interface RecipientOptions {
  /** The answer to a message. `count` is the number of earlier messages of this subject. */
  answer?: (name: string, count: number, message: ReceivedDelivery) => ReceiverAnswer
  /** Replaces the service of type `DIDCommMessaging`. */
  services?: (name: string, url: string) => unknown
  /** Replaces the document with those services. */
  document?: (name: string) => object | undefined
  host?: string
}

export async function startRecipient(options: RecipientOptions = {}): Promise<Recipient> {
  const { answer = () => ({}), host = '127.0.0.1' } = options
  const isMessage = ({ method }: ReceivedDelivery) => method === 'POST'
  const subjectOf = ({ path }: ReceivedDelivery) => path.split('/')[1] ?? ''
  const receiver = await startReceiver((request) => {
    const name = subjectOf(request)
    if (isMessage(request)) return answer(name, messages(name).length - 1, request)
    const services =
      options.services ?? ((_name, url) => [{ id: '#1', type: 'DIDCommMessaging', serviceEndpoint: { uri: url } }])
    const document = options.document
      ? options.document(name)
      : { id: did(name), service: services(name, `${origin}/${name}`) }
    return document ? { body: JSON.stringify(document) } : { status: 404 }
  })
  const { origin, port } = new URL(receiver.url)
  const did = (name: string) => `did:web:${host}%3A${port}:${name}`
  const messages = (name: string) => receiver.deliveries.filter((each) => isMessage(each) && subjectOf(each) === name)
  return { did, messages, url: origin, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}
