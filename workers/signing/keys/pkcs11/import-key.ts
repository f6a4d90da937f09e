import '../../../../shared/quick-resolve.ts'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { systemClock } from '../../../../shared/clock.ts'
import { createLog } from '../../../../shared/log/log.ts'
import { useCompileCache } from '../../../../shared/process/compile-cache.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../../shared/process/dependency.ts'
import { readConfig } from '../../../../shared/settings/config.ts'
import { openKeyEncryptionKeys } from '../key-encryption-keys.ts'
import { readTokenSettings } from './token-settings.ts'

/** `npm run keys:import -- --tenant T --certificate ID`: see docs/keys.md. It needs the settings of a signing process. */
const usage = `npm run keys:import -- --tenant TENANT --certificate ID
    Moves the private key of a certificate from the database into the PKCS#11 token. TENANT is an id or a host.`

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { tenant, certificate } = readArguments()
  const config = exitIfMisconfigured(() => readConfig(process.env))
  const settings = exitIfMisconfigured(() => readTokenSettings(process.env))
  if (!settings) throw new Misconfigured('PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE are not set.')
  const keyEncryption = await openKeyEncryptionKeys(process.env, config)
  useCompileCache(config.dataDir)
  const { openDatabase } = await import('../../../../db/client.ts')
  const { createKeyring } = await import('../keyring.ts')
  const { importCertificateKey } = await import('./import-certificate-key.ts')
  const { openToken } = await import('./open-token.ts')
  const keyring = createKeyring(keyEncryption.keys, config.sealFormat)
  const log = createLog({ process: 'pkcs11', level: 'silent', pretty: false })
  const token = keyEncryption.token ?? (await openToken({ ...settings, log }))
  const db = openDatabase(config.databaseUrl, { survives: 'powerLoss' })
  try {
    const request = { db, keyring, token, clock: systemClock, tenant, certificateId: certificate, confirm }
    await importCertificateKey(request)
    console.log('The key is in the token. Restart all signing processes.')
  } finally {
    await Promise.all([token.close(), db.close()])
  }
}

function readArguments(): { tenant: string; certificate: string } {
  try {
    const { tenant, certificate } = parseArgs({
      options: { tenant: { type: 'string' }, certificate: { type: 'string' } },
    }).values
    if (tenant && certificate) return { tenant, certificate }
  } catch {
    // An unknown option.
  }
  throw new Misconfigured(usage)
}

/** Returns the first line of the input, or undefined without one. */
async function confirm(meaning: string): Promise<string | undefined> {
  process.stdout.write(meaning)
  const lines = createInterface({ input: process.stdin })
  const answer = await Promise.race([
    once(lines, 'line').then(([line]) => String(line)),
    once(lines, 'close').then(() => undefined),
  ])
  lines.close()
  return answer
}
