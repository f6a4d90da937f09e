import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import type { Database } from '../../../../db/client.ts'
import { holdTenant } from '../../../../db/hold.ts'
import { findCertificateRow } from '../../../../db/repos/certificates/certificates.ts'
import { moveToProvider } from '../../../../db/repos/identifiers/key-wrapping.ts'
import { findKey, findSigningKeyId, type KeyRow } from '../../../../db/repos/identifiers/keys.ts'
import { findTenant, findTenantRowByHost, type TenantRow } from '../../../../db/repos/tenancy/tenants.ts'
import { type Clock, minuteMs, plusMs } from '../../../../shared/clock.ts'
import { softwareProvider } from '../../../../shared/domain/identifiers/key-policy.ts'
import { newKeyId } from '../../../../shared/ids.ts'
import { Misconfigured } from '../../../../shared/process/dependency.ts'
import { privateKeyContext } from '../../../../shared/secrets/stored-contexts.ts'
import { auditKeys } from '../../audit-keys.ts'
import type { Keyring } from '../keyring.ts'
import { KeyProviderRefused } from '../provider.ts'
import { nameOfKey } from './key-name.ts'
import type { Token } from './open-token.ts'

export interface KeyImport {
  db: Database
  keyring: Pick<Keyring, 'unwrap'>
  token: Token
  clock: Clock
  /** The id of a tenant, or one of its hosts. */
  tenant: string
  certificateId: string
  /** Shows the operator what the import means. Returns what the operator typed. */
  confirm(meaning: string): Promise<string | undefined>
}

/**
 * Moves the private key of a certificate from the database into a token. The token has the key before its row changes, in one conditional
 * write, so that an interrupted import leaves the old row. It can be repeated. The next import makes a key with another name, because an
 * operator can destroy the unused one at any time. Throws Misconfigured with what the operator must do.
 */
export async function importCertificateKey({ confirm, ...request }: KeyImport): Promise<void> {
  const { db, token, clock, certificateId } = request
  const importable = await findImportable(request)
  const { tenantId, row } = importable
  if ((await confirm(meaningOf(token, certificateId)))?.trim() !== certificateId)
    throw new Misconfigured('The id was not typed. Nothing has changed.')
  const startedAt = clock.now()
  const handle = await importInto(request, importable).catch(asMisconfigured)
  const isLate = () => clock.now() >= plusMs(startedAt, maxImportMs)
  const isMoved = await db.tx(async (tx) => {
    if (isLate() || (await holdTenant(tx, tenantId))?.state !== 'active') return false
    if (!(await moveToProvider(tx, tenantId, row.id, { provider: 'pkcs11', handle }))) return false
    const data = { ids: [row.id], certificateId, provider: 'pkcs11' }
    await auditKeys(tx, tenantId, 'KEY_IMPORT', data, clock.now())
    return true
  })
  if (isMoved) return
  const current = await findKey(db.read, tenantId, row.id)
  if (current?.handle !== handle) await token.destroy(handle)
  if (isLate()) throw new Misconfigured('The import took too long. Repeat it.')
  throw new Misconfigured('The certificate or its tenant was changed meanwhile. Its key was not imported.')
}

/** A key without a row can be destroyed as unused after an hour (shared/domain/identifiers/unused-keys.ts). */
const maxImportMs = 30 * minuteMs

interface Importable {
  tenantId: string
  row: KeyRow
  certificate: X509Certificate
}

/** Finds the key of a certificate that can be imported. */
async function findImportable({ db, token, tenant, certificateId }: Omit<KeyImport, 'confirm'>): Promise<Importable> {
  const { id: tenantId } = await getTenant(db, tenant)
  const certificate = await findCertificateRow(db.read, tenantId, certificateId)
  if (!certificate)
    throw new Misconfigured(
      `The tenant has no certificate ${certificateId}. Only keys of certificates can be imported.`,
    )
  const owner = { kind: 'certificate', id: certificateId } as const
  const keyId = await findSigningKeyId(db.read, tenantId, owner, { purpose: 'certificate', algorithm: 'ES256' })
  const row = keyId === undefined ? undefined : await findKey(db.read, tenantId, keyId)
  if (!row || !certificate.certificate)
    throw new Misconfigured(`The service has no private key of ES256 of the certificate ${certificateId}.`)
  if (row.provider !== softwareProvider)
    throw new Misconfigured(`The key of the certificate ${certificateId} is already in ${row.provider}.`)
  if (!token.algorithms.includes('ES256'))
    throw new Misconfigured(`The token ${token.label} does not sign with ES256. Choose another token.`)
  return { tenantId, row, certificate: new X509Certificate(certificate.certificate) }
}

async function getTenant({ read }: Database, text: string): Promise<TenantRow> {
  const tenant = (await findTenant(read, text)) ?? (await findTenantRowByHost(read, text.toLowerCase()))
  if (!tenant) throw new Misconfigured(`No tenant has the id or the host ${text}.`)
  if (tenant.state !== 'active') throw new Misconfigured(`The tenant ${tenant.id} cannot be changed now.`)
  return tenant
}

function meaningOf({ label }: Token, certificateId: string): string {
  return `The private key of the certificate ${certificateId} moves from the database into the token ${label}. It cannot leave the token.
The key was in the database. Each backup of the database still has it, for a person who also has KEY_ENCRYPTION_KEY.
A new certificate whose key was always in the token is better. Import a key only if you must keep its certificate.
The signing processes need PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE. Restart them after the import: they have the key in memory.
Type the id of the certificate to import its key: `
}

/** Stores the key in the token and verifies a signature with the key of the certificate. Returns the handle of the key. */
async function importInto(
  { keyring, token }: Pick<KeyImport, 'keyring' | 'token'>,
  { tenantId, row, certificate }: Importable,
): Promise<string> {
  const { publicKey } = certificate
  const bytes = await unwrap(keyring, row)
  const privateKey = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
  bytes.fill(0)
  const name = nameOfKey({ tenantId, purpose: row.purpose, id: `${row.id}.${newKeyId()}` })
  const { handle } = await token.importKeyPair({ algorithm: 'ES256', ...name, privateKey })
  try {
    await token.sign({ handle, algorithm: 'ES256', publicKey }, randomBytes(32))
  } catch (error) {
    if (error instanceof KeyProviderRefused) await token.destroy(handle)
    throw error
  }
  return handle
}

async function unwrap(keyring: Pick<Keyring, 'unwrap'>, row: KeyRow): Promise<Buffer> {
  try {
    return await keyring.unwrap(row.wrappedPrivateKey, privateKeyContext(row))
  } catch (error) {
    throw new Misconfigured('KEY_ENCRYPTION_KEY does not open the key. Set that of the signing processes.', {
      cause: error,
    })
  }
}

function asMisconfigured(error: unknown): never {
  if (error instanceof KeyProviderRefused)
    throw new Misconfigured(`${error.message} The key stays in the database.`, { cause: error })
  throw error
}
