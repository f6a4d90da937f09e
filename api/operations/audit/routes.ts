import { findCheckpoint } from '../../../db/repos/operations/audit/audit-checkpoints.ts'
import { openAuditTree } from '../../../db/repos/operations/audit/audit-tree.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { presentKeySet } from '../key-sets.ts'
import { proveEntry } from './proofs.ts'
import {
  AuditKeySet,
  CheckpointQuery,
  ConsistencyProof,
  ConsistencyQuery,
  InclusionProof,
  ProofQuery,
} from './schemas.ts'

const shared = { tag: 'Audit', method: 'GET', host: 'either', status: 200 } as const
/** The role `platform` exists only at the host of the platform. */
const access = operators('admin', 'auditor', 'platform')

export const auditRoutes = [
  defineRoute({
    ...shared,
    operation: 'retrieveAuditCheckpoint',
    summary:
      'Retrieve a signed checkpoint of the audit (C2SP tlog-checkpoint): its number of entries and the root of their Merkle tree',
    path: '/v1/audit/checkpoint',
    access: anyone,
    query: CheckpointQuery,
    representations: { media: [handlerMedia('text/plain')], maxAgeSeconds: 60, etag: 'bytes', cors: true },
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, query: { size }, deps }) {
      const checkpoint = await findCheckpoint(deps.db.read, tenantId, size ?? 'last')
      if (!checkpoint) throw size === undefined ? noCheckpoint() : wrongSize('size', size)
      return checkpoint.note
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveAuditKeys',
    summary: 'Retrieve the keys that verify checkpoints',
    path: '/v1/audit/jwks',
    access: anyone,
    response: AuditKeySet,
    // A new key signs at once. A verifier that reads the keys again must not get an old cached response.
    representations: { maxAgeSeconds: 0, etag: 'bytes', cors: true },
    handle: ({ tenantId, deps }) => presentKeySet(deps, tenantId, 'audit'),
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveAuditProof',
    summary: 'Prove that a checkpoint covers an entry of the audit',
    path: '/v1/audit/proof',
    access,
    query: ProofQuery,
    response: InclusionProof,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, query: { number, size: requestedSize }, deps }) {
      const size = await sizeOf(deps, tenantId, 'size', requestedSize)
      if (number > size) throw wrongQuery('number', `The checkpoint has ${size} entries`, number)
      const proof = await proveEntry(deps, tenantId, number, size)
      if (!proof) throw wrongQuery('number', 'Resource Not Found', number)
      return proof
    },
  }),
  defineRoute({
    ...shared,
    operation: 'retrieveAuditConsistency',
    summary: 'Prove that a checkpoint begins with the entries of an earlier one',
    path: '/v1/audit/consistency',
    access,
    query: ConsistencyQuery,
    response: ConsistencyProof,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, query: { from: earlier, to: later }, deps }) {
      const to = await sizeOf(deps, tenantId, 'to', later)
      const from = await sizeOf(deps, tenantId, 'from', earlier)
      if (from > to) throw wrongQuery('from', `The later checkpoint has ${to} entries`, from)
      const hashes = await openAuditTree({ db: deps.db.read, tenantId, size: to }).consistencyProof(from)
      return { from, to, hashes: hashes.map((each) => each.toString('base64')) }
    },
  }),
]

/** Returns the size of a checkpoint, or that of the last one. */
async function sizeOf(
  { db }: Deps,
  tenantId: string,
  param: string,
  requestedSize: number | undefined,
): Promise<number> {
  const checkpoint = await findCheckpoint(db.read, tenantId, requestedSize ?? 'last')
  if (!checkpoint) throw requestedSize === undefined ? noCheckpoint() : wrongSize(param, requestedSize)
  return checkpoint.size
}

function noCheckpoint(): Problem {
  return new Problem('not_found', {
    message: 'The audit has no checkpoint yet. The first one is made within two minutes of the first change',
  })
}

function wrongSize(param: string, size: number): Problem {
  return wrongQuery(param, 'No checkpoint has this size. /v1/audit/checkpoint has the size of the last one', size)
}

function wrongQuery(param: string, msg: string, value: number): Problem {
  return new Problem('bad_request', { details: [{ msg, param, location: 'query', value }] })
}
