import { type ApiClient, itemsOf, TrustwrightError } from '../../../../shared/client/client.ts'
import type { Fetched } from '../../../../shared/client/errors.ts'
import { type Command, UsageError, withinMsOf } from '../command.ts'

interface Certificate {
  id: string
  active: boolean
  /** Absent until an external authority has issued the certificate. */
  certificateData?: { commonName: string; notAfter: string }
}

interface Listed extends Certificate {
  kind: string
}

interface Page {
  data: Certificate[]
  nextCursor?: string
}

type ReadPage = (client: ApiClient, query: { cursor?: string }) => Promise<Fetched<Page>>

const lists: Record<string, ReadPage> = {
  iaca: (client, query) => client.GET('/v2/credentials/mobile/iacas', { params: { query } }),
  'document-signer': (client, query) => client.GET('/v2/credentials/mobile/document-signers', { params: { query } }),
  'status-list-signer': (client, query) =>
    client.GET('/v2/credentials/mobile/status-list-signers', { params: { query } }),
  'sd-jwt-signer': (client, query) => client.GET('/v2/credentials/sd-jwt/signers', { params: { query } }),
  'ecosystem-ca': (client, query) => client.GET('/v1/ecosystems/certificates/ca', { params: { query } }),
  'vical-signer': (client, query) => client.GET('/v1/ecosystems/certificates/vical-signers', { params: { query } }),
  'rical-signer': (client, query) => client.GET('/v1/ecosystems/certificates/rical-signers', { params: { query } }),
}

export const listCertificateEnds: Command = {
  name: 'certificates list',
  usage: '',
  summary: 'List the certificates of authorities and signers with their ends, the next end first',
  details: ['Kinds that the roles of the client may not read are left out.'],
  options: {
    ending: { type: 'string', value: 'DAYS', help: 'Only certificates in use that end within this time, such as 60d' },
  },
  examples: ['trustwright certificates list', 'trustwright certificates list --ending 60d --json'],
  async run(call) {
    const withinMs = withinMsOf(call)
    const client = await call.client()
    const read = await Promise.all(Object.entries(lists).map(([kind, list]) => readAll(client, kind, list)))
    const visible = read.filter((each) => each !== undefined)
    if (visible.length === 0) throw new UsageError('The roles of the client may not read certificates')
    const listed = visible.flat().toSorted((a, b) => endOf(a) - endOf(b))
    const isLimited = withinMs !== Number.POSITIVE_INFINITY
    const rows = listed.filter((each) => !isLimited || (each.active && endOf(each) <= Date.now() + withinMs))
    if (call.json || rows.length > 0) call.print(rows, rows.map(lineOf).join('\n'))
  },
}

/** Returns undefined if the roles of the client may not read this kind. */
async function readAll(client: ApiClient, kind: string, list: ReadPage): Promise<Listed[] | undefined> {
  try {
    const ofKind: Listed[] = []
    for await (const certificate of itemsOf((query) => list(client, query))) ofKind.push({ kind, ...certificate })
    return ofKind
  } catch (error) {
    if (error instanceof TrustwrightError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}

function endOf({ certificateData }: Certificate): number {
  return certificateData === undefined ? Number.POSITIVE_INFINITY : Date.parse(certificateData.notAfter)
}

function lineOf({ kind, id, active, certificateData }: Listed): string {
  const { notAfter = 'no certificate yet', commonName = '' } = certificateData ?? {}
  return [kind.padEnd(18), notAfter.padEnd(24), active ? 'active  ' : 'inactive', id, commonName].join('  ').trimEnd()
}
