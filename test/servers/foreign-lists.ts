import { createServer } from 'node:http'
import { type CborValue, dateTime } from '../../shared/formats/cbor.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { signTrustedList } from '../../shared/formats/trusted-lists/build-list.ts'
import { readerAuthenticationType } from '../../shared/formats/trusted-lists/kinds.ts'
import { type Certified, derOf, newCertificate } from '../certificates/certificates.ts'
import { newListSigner, signerOf } from '../certificates/trusted-list-signer.ts'
import { keepAlive } from '../harness/keep-alive.ts'

const yearMs = 365 * 24 * 3_600_000
export const mdl = 'org.iso.18013.5.1.mDL'

export interface ListChanges {
  date?: Date
  nextUpdate?: Date
  /** Complete entries, in addition to those of the authorities. */
  entries?: CborValue[]
  docTypes?: string[]
  /** Replaces the signer and its root. */
  chain?: Certified[]
  more?: [string, CborValue][]
}

/** A RICAL of reader authorities. Its chain has no root unless `chain` contains the root. */
export function ricalOf(
  leaf: Certified,
  readers: Certified[],
  { date = new Date(), chain = [leaf] }: Pick<ListChanges, 'date' | 'chain'> = {},
): Promise<Buffer> {
  const entries = readers.map((each) => new Map<string, CborValue>([['certificate', derOf(each)]]))
  const payload = new Map<string, CborValue>([
    ['version', '1.0'],
    ['provider', 'Foreign'],
    ['date', dateTime(date)],
    ['certificateInfos', entries],
    ['type', readerAuthenticationType],
  ])
  const [first = leaf, ...others] = chain
  return signTrustedList('rical', encodeCbor(payload), signerOf(first, ...others))
}

/** A provider that signs VICALs under its own root. The list contains the root unless `chain` omits it. */
export async function newForeignSigner(changes: Parameters<typeof newListSigner>[0] = {}) {
  const notAfter = new Date(Date.now() + yearMs)
  const root = await newCertificate({ name: 'Ecosystem', ca: true, notAfter })
  const { leaf } = await newListSigner({ issuer: root, notAfter, ...changes })
  return {
    root,
    leaf,
    vical(
      authorities: Certified[],
      { date = new Date(), chain = [leaf, root], ...changes }: ListChanges = {},
    ): Promise<Buffer> {
      const { nextUpdate, entries = [], docTypes, more = [] } = changes
      const payload = new Map<string, CborValue>([
        ['version', '1.0'],
        ['vicalProvider', 'Foreign'],
        ['date', dateTime(date)],
        ...(nextUpdate ? ([['nextUpdate', dateTime(nextUpdate)]] as const) : []),
        ['certificateInfos', [...authorities.map((each) => entryOf(derOf(each), docTypes)), ...entries]],
        ...more,
      ])
      const [first = leaf, ...others] = chain
      return signTrustedList('vical', encodeCbor(payload), signerOf(first, ...others))
    },
  }
}

export const entryOf = (certificate: Buffer, docTypes: string[] = [mdl]): CborValue =>
  new Map<string, CborValue>([
    ['certificate', certificate],
    ['docType', docTypes],
  ])

export interface Published {
  status?: number
  body?: Buffer
  headers?: Record<string, string>
}

/** A server on this machine. It answers a conditional request with 304 if `if-none-match` equals `etag`. */
export async function startPublisher(published: Published = {}) {
  const asked: Record<string, string | undefined>[] = []
  const publisher = { published, asked, hold: undefined as Promise<void> | undefined }
  const server = createServer(keepAlive, async (request, response) => {
    asked.push({ ...(request.headers as Record<string, string>), path: request.url })
    await publisher.hold
    const { status = 200, body = Buffer.alloc(0), headers = {} } = publisher.published
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag
    response.writeHead(isKnown ? 304 : status, headers).end(isKnown ? undefined : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return Object.assign(publisher, {
    url: `http://127.0.0.1:${port}/vical`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
