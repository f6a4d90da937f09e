import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '../../../db/client.ts'
import { createCopyProgress, rowsText } from '../../../db/copy/progress.ts'
import { currentMigration } from '../../../db/copy/require-version.ts'
import type { Side } from '../../../db/copy/side.ts'
import { holdTenant } from '../../../db/hold.ts'
import { countRows, exportTenant } from '../../../db/moves/export-tenant.ts'
import { createFile, type NewFile } from '../../../db/moves/line-files.ts'
import type { MoveHeader, MoveSummary } from '../../../db/moves/move-file.ts'
import { openExportSide } from '../../../db/moves/open-sides.ts'
import { digestOfSummary } from '../../../db/moves/proof.ts'
import { type ReceiverKeys, receiverFingerprint } from '../../../db/moves/receiver.ts'
import { createLineSealer } from '../../../db/moves/sealed-lines.ts'
import { findProviderKeys } from '../../../db/repos/identifiers/key-destruction.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { changesBy } from '../../../db/repos/operations/audit/audited.ts'
import { findPlatformId, findTenant, findTenantRowByHost } from '../../../db/repos/tenancy/tenants.ts'
import type { Clock } from '../../../shared/clock.ts'
import { newId } from '../../../shared/ids.ts'
import { Misconfigured } from '../../../shared/process/dependency.ts'
import type { Installation } from './installation.ts'
import { sealedRowValues } from './sealed-row-values.ts'

export interface Export extends Installation {
  /** The id of a tenant, or one of its hosts. */
  tenant: string
  file: string
  receiver: ReceiverKeys
}

/** Writes a read-only tenant to a file for a receiver. Throws Misconfigured with what the operator must do. */
export async function exportToFile(request: Export): Promise<void> {
  const { file, databaseUrl } = request
  if (existsSync(file)) throw new Misconfigured(`${file} exists. Name a new file, or delete it.`)
  const db = openDatabase(databaseUrl, { survives: 'powerLoss' })
  try {
    await writeExport({ ...request, db })
  } finally {
    await db.close()
  }
}

async function writeExport({ db, ...request }: Export & { db: Database }): Promise<void> {
  const { clock, file, receiver, print } = request
  const tenantId = await getTenantId(db, request.tenant)
  await requireSoftwareKeys(db, tenantId)
  await requireQuiet(db, tenantId, request)
  const exportId = newId()
  const data = { id: tenantId, exportId, receiver: receiverFingerprint(receiver) }
  const platformId = await findPlatformId(db.read)
  await changesBy(
    { db, clock },
    { event: 'TENANT_EXPORT_START' },
  )(async (tx, record) => {
    if ((await holdTenant(tx, tenantId))?.state !== 'moving') throw new Misconfigured(notReadOnly(tenantId))
    for (const chain of [platformId, tenantId]) if (chain) record(chain, data)
  })
  print(`The export is for the receiver ${data.receiver}. Compare it with what the receiver printed.`)
  const part = await createFile(file)
  try {
    const summary = await writeRows(request, { exportId, tenantId, part })
    await changesBy(
      { db, clock },
      { event: 'TENANT_EXPORT' },
    )(async (_tx, record) => {
      if (platformId) record(platformId, { ...data, digest: digestOfSummary(summary) })
    })
    await part.complete()
    print(`${rowsText(countRows(summary))} of ${summary.tables.length} tables are in ${file}.`)
  } finally {
    await part.close()
  }
}

/** Throws Misconfigured with the keys that cannot leave their provider. */
async function requireSoftwareKeys({ read }: Database, tenantId: string): Promise<void> {
  const rows = await findProviderKeys(read, tenantId, maxNamedKeys)
  if (rows.length === 0) return
  const names = rows.map(({ id, purpose, provider }) => `${id} (${purpose}, ${provider})`).join(', ')
  throw new Misconfigured(
    `Keys of the tenant are in a provider that they cannot leave: ${names}. Set \`keys\` of the tenant to software, replace these keys, and delete what has the others.`,
  )
}

/** The keys that a message names. */
const maxNamedKeys = 20

async function getTenantId({ read }: Database, text: string): Promise<string> {
  const tenant = (await findTenant(read, text)) ?? (await findTenantRowByHost(read, text.toLowerCase()))
  if (tenant?.kind !== 'tenant') throw new Misconfigured(`No tenant has the id or the host ${text}.`)
  if (tenant.state === 'moved') throw new Misconfigured(`The tenant ${tenant.id} has moved to another installation.`)
  if (tenant.state !== 'moving') throw new Misconfigured(notReadOnly(tenant.id))
  return tenant.id
}

function notReadOnly(tenantId: string): string {
  return `The tenant can be changed. Make it read-only first: POST /v1/tenants/${tenantId}/move at the host of the platform.`
}

/** Other processes accept changes for a second after the start of the move. Some of these can take longer to commit. */
const quietMs = 10_000
const maxExports = 1_000

/** Throws if changes can still be running, and if the tenant was exported for another receiver since it is read-only. */
async function requireQuiet(
  { read }: Database,
  tenantId: string,
  { clock, receiver }: { clock: Clock; receiver: ReceiverKeys },
): Promise<void> {
  const types = ['TENANT_MOVE_START_AUDIT', 'TENANT_EXPORT_START_AUDIT']
  const { rows } = await listAuditEvents(read, tenantId, { types }, maxExports)
  const start = rows.findIndex(({ type }) => type === types[0])
  const waitMs = quietMs - (clock.now().getTime() - (rows[start]?.timestamp.getTime() ?? 0))
  if (waitMs > 0)
    throw new Misconfigured(
      `The tenant is read-only for less than ${quietMs / 1_000} seconds. Run this again in ${Math.ceil(waitMs / 1_000)} s, when all changes have ended.`,
    )
  const others = rows.slice(0, start).filter(({ data }) => data.receiver !== receiverFingerprint(receiver))
  if (others.length > 0)
    throw new Misconfigured(
      `The tenant was exported for the receiver ${others[0]?.data.receiver}. Two receivers must not import it. To change the receiver, delete the export, end the move and start it again.`,
    )
}

interface Writing {
  exportId: string
  tenantId: string
  part: NewFile
}

async function writeRows(
  { databaseUrl, clock, secrets, keyring, receiver, print }: Export,
  { exportId, tenantId, part }: Writing,
): Promise<MoveSummary> {
  const side = await openExportSide(databaseUrl)
  try {
    const at = clock.now()
    const header: MoveHeader = {
      ...{ format: 'trustwright-tenant', version: 1, exportId, exportedAt: at.toISOString() },
      migration: currentMigration(side),
      tenant: await readTenant(side, tenantId),
    }
    const sealer = await createLineSealer(receiver.encryption, JSON.stringify(header))
    await part.writeLine(sealer.firstLine)
    return await exportTenant({
      ...{ side, tenantId, values: sealedRowValues({ secrets, keyring, at }), progress: createCopyProgress(print) },
      write: async (text, position) => part.writeLine(await sealer.sealLine(text, position)),
    })
  } finally {
    await side.close()
  }
}

/** Reads the tenant in the snapshot. Throws if the move was ended meanwhile. */
async function readTenant({ query, syntax }: Side, id: string): Promise<MoveHeader['tenant']> {
  const one = syntax.parameter('text', 1)
  const [tenant] = await query(`SELECT name, subdomain, state FROM tenants WHERE id = ${one}`, [id])
  if (tenant?.[2] !== 'moving') throw new Misconfigured(notReadOnly(id))
  const hosts = await query(`SELECT host FROM tenant_hosts WHERE tenant_id = ${one} ORDER BY host`, [id])
  return { id, name: String(tenant[0]), subdomain: String(tenant[1]), hosts: hosts.map(([host]) => String(host)) }
}
