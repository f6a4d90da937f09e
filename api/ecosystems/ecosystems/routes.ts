import type { z } from 'zod'
import type { Reader } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import {
  deleteEcosystem,
  type EcosystemRow,
  findEcosystem,
  insertEcosystem,
  listEcosystems,
  renameEcosystem,
} from '../../../db/repos/ecosystems/ecosystems.ts'
import {
  findIntegrations,
  type Integration,
  type IntegrationRow,
  replaceIntegrations,
} from '../../../db/repos/ecosystems/integrations.ts'
import { ecosystems as ecosystemTable } from '../../../db/tables/ecosystems/ecosystems.ts'
import type { IntegrationResult } from '../../../db/tables/ecosystems/integrations.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { loteFormat } from '../../../shared/domain/ecosystems/integrations.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { certificateFromPem } from '../../../shared/formats/certificate.ts'
import { faultOfListSigner } from '../../../shared/formats/trusted-lists/lote/verify-chain.ts'
import { faultOfAnchor } from '../../../shared/formats/x509-chain.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { listUrlFor } from '../../access/shown-to.ts'
import type { Caller } from '../../access/subjects.ts'
import { auditedCrudOf } from '../../audit/audited-crud-of.ts'
import type { Deps } from '../../deps.ts'
import type { Versioned } from '../../http/collection.ts'
import { providerAccess, readerAccess } from './access.ts'
import { EcosystemView, NewEcosystem } from './schemas.ts'
import { requireMayAdmitWallets } from './wallet-lists.ts'

type Whole = EcosystemRow & { integrations: IntegrationRow[] }

const ecosystems: Versioned<Whole> = {
  tag: 'Ecosystems',
  access: providerAccess,
  path: '/v1/ecosystems',
  id: 'ecosystemId',
  events: 'ECOSYSTEM',
  view: EcosystemView,
  hasVersions: true,
  present,
}

export const ecosystemRoutes = auditedCrudOf(ecosystems, {
  name: 'Ecosystem',
  readers: readerAccess,
  create: {
    summary: 'Create an ecosystem',
    body: NewEcosystem,
    problems: ['conflict'],
    async handle({ tenantId, body, deps, change, caller }) {
      requireUsable(deps, body.integrations)
      const { name } = body
      const integrations = body.integrations.map(configured)
      requireMayAdmitWallets(caller, [], integrations)
      const createdAt = deps.clock.now()
      const row = { id: newOrderedId(createdAt), tenantId, name, policyModifiedAt: createdAt, revision: 0, createdAt }
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'ecosystems')
        await insertEcosystem(tx, row)
        await replaceIntegrations(tx, tenantId, row.id, integrations, createdAt)
        record(tenantId, { id: row.id })
        return { ...row, integrations: await findIntegrations(tx, tenantId, [row.id]) }
      })
    },
  },
  list: {
    summary: 'List the ecosystems',
    async rows(db, tenantId, page) {
      return withIntegrations(db, tenantId, await listEcosystems(db, tenantId, page))
    },
  },
  retrieve: {
    summary: 'Retrieve an ecosystem',
    async find(db, tenantId, id) {
      const row = await findEcosystem(db, tenantId, id)
      return row && (await withIntegrations(db, tenantId, [row]))[0]
    },
  },
  update: {
    summary: 'Replace the name and the integrations of an ecosystem',
    body: NewEcosystem,
    async handle({ tenantId, id, body, deps, change, requireMatch, caller }) {
      requireUsable(deps, body.integrations)
      const { name } = body
      const integrations = body.integrations.map(configured)
      return change(async (tx, record) => {
        const before = await hold(tx, ecosystemTable, tenantId, id)
        const had = await findIntegrations(tx, tenantId, [id])
        if (before) await requireMatch({ ...before, integrations: had })
        requireMayAdmitWallets(caller, had, integrations)
        const row = await renameEcosystem(tx, tenantId, id, name)
        if (!before || !row) throw notFound('ecosystemId', id)
        await replaceIntegrations(tx, tenantId, id, integrations, deps.clock.now())
        const after = { ...row, integrations: await findIntegrations(tx, tenantId, [id]) }
        record(tenantId, { id, changed: changedFieldNames({ ...before, integrations: had }, after) })
        return after
      })
    },
  },
  delete: {
    summary: 'Delete an ecosystem with its content and its publications',
    remove: (tx, { tenantId, id, deps }) => deleteEcosystem(tx, tenantId, id, deps.clock.now()),
    removed: ({ deps }) => deps.bus.poke(),
  },
})

/** Throws `bad_request` for a list that may not be called, and for an anchor at which no chain can end. */
function requireUsable({ config }: Deps, integrations: IntegrationBody[]): void {
  for (const [at, { format, url, trustAnchors }] of integrations.entries()) {
    const refusal = findUrlFault(url, { allowLoopback: config.outboundAllowLoopback, allowQuery: true })
    if (refusal) throw wrongField(`integrations.${at}.url`, refusal, url)
    for (const [place, pem] of trustAnchors.entries()) {
      const certificate = certificateFromPem(pem)
      // An anchor of a list of trusted entities can be the certificate of its signer.
      const isSigner = format === loteFormat && !certificate.ca
      const fault = isSigner ? faultOfListSigner(certificate) : faultOfAnchor(certificate)
      if (fault)
        throw wrongField(`integrations.${at}.trustAnchors.${place}`, `The certificate cannot be trusted: ${fault}`)
    }
  }
}

type IntegrationBody = z.output<typeof NewEcosystem>['integrations'][number]

function configured({ loteType, types, ...integration }: IntegrationBody): Integration {
  return { ...integration, loteType: loteType ?? null, types: types ?? null }
}

async function withIntegrations(db: Reader, tenantId: string, rows: EcosystemRow[]): Promise<Whole[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const byEcosystem = Map.groupBy(await findIntegrations(db, tenantId, ids), ({ ecosystemId }) => ecosystemId)
  return rows.map((row) => ({ ...row, integrations: byEcosystem.get(row.id) ?? [] }))
}

function present({ id, name, integrations }: Whole, { caller }: { caller?: Caller }) {
  return {
    id,
    name,
    integrations: integrations.map(({ format, loteType, types, url, enabled, trustAnchors, result }) => ({
      format,
      ...(loteType && { loteType }),
      ...(types && { types }),
      url: listUrlFor(caller, url),
      enabled,
      ...(trustAnchors.length > 0 && { trustAnchors }),
      ...(result && { integrationResult: presentResult(result, trustAnchors) }),
    })),
  }
}

/** A root is pinned where the operator names none. */
function presentResult(
  { pinnedRootFingerprint, ...result }: IntegrationResult,
  trustAnchors: string[],
): IntegrationResult {
  const isPinned = pinnedRootFingerprint !== undefined && trustAnchors.length === 0
  return { ...result, ...(isPinned && { pinnedRootFingerprint }) }
}
