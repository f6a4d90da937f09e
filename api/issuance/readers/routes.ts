import { defineRoute, operators } from '../../http/route.ts'
import { readMetadata } from '../metadata/metadata.ts'
import { findReaders } from './find-readers.ts'
import { maxFindings, ReadersView } from './schemas.ts'

export const readerRoutes = [
  defineRoute({
    operation: 'retrieveReaders',
    summary: 'Check which wallet families can read the metadata of the issuer, and what to change',
    tag: 'Discovery',
    method: 'GET',
    path: '/v1/openid/configuration/readers',
    access: operators('admin', 'issuer', 'managed-issuer'),
    event: 'CREDENTIAL_PROVIDER_OPENID_CONFIGURATION_READERS_RETRIEVE',
    status: 200,
    response: ReadersView,
    async handle({ tenant, deps }) {
      const { issuer, server } = await readMetadata(deps, tenant)
      const readers = findReaders({ issuerMetadata: issuer, serverMetadata: server })
      const findingsOf = ({ findings }: (typeof readers)[number]) => findings.slice(0, maxFindings)
      return { families: readers.map((reader) => ({ ...reader, findings: findingsOf(reader) })) }
    },
  }),
]
