import { eq } from 'drizzle-orm'
import { type Checkpoint, ed25519KeysOf, openCheckpoint } from '../../shared/formats/checkpoint.ts'
import { readTextFile } from '../../shared/read-text-file.ts'
import type { Reader } from '../client.ts'
import { findAuditKeys } from '../repos/operations/audit/audit-checkpoint-check.ts'
import { tenants } from '../tables/tenancy/tenants.ts'

/**
 * Reads checkpoints from files, with the tenants that they name. The keys are in a file with a JWK set, or else in the database.
 * Exits at a file without a valid checkpoint, because its tenant could not be compared.
 */
export async function readCheckpoints(
  db: Reader,
  files: readonly string[],
  keysFile: string | undefined,
): Promise<(Pick<Checkpoint, 'size' | 'root'> & { tenantId: string })[]> {
  const ownKeys = keysFile === undefined ? undefined : ed25519KeysOf(JSON.parse(readTextFile(keysFile)))
  const read: (Pick<Checkpoint, 'size' | 'root'> & { tenantId: string })[] = []
  for (const file of files) {
    const note = readTextFile(file)
    const [host = ''] = note.split('/v1/audit\n')
    const [tenant] = await db.select({ id: tenants.id }).from(tenants).where(eq(tenants.canonicalHost, host))
    if (!tenant) exit(`${file}: no tenant has the host of the checkpoint`)
    const opened = openCheckpoint(note, ownKeys ?? (await findAuditKeys(db, tenant.id)))
    if (!opened) exit(`${file}: the checkpoint has no valid signature`)
    read.push({ tenantId: tenant.id, size: opened.size, root: opened.root })
  }
  return read
}

function exit(message: string): never {
  console.error(message)
  process.exit(1)
}
