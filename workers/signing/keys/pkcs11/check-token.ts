import { createLog } from '../../../../shared/log/log.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../../shared/process/dependency.ts'
import { openToken } from './open-token.ts'
import { readTokenSettings } from './token-settings.ts'

/** `npm run pkcs11:check`: opens the token of the settings once, and prints its name, its algorithms and the number of its keys. */
const settings = exitIfMisconfigured(() => readTokenSettings(process.env))
const log = createLog({ process: 'pkcs11', level: 'silent', pretty: false })
try {
  if (!settings) throw new Misconfigured('PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE are not set.')
  const token = await openToken({ ...settings, log })
  try {
    const keys = await token.list()
    console.log(
      `token ${token.label}: ${token.algorithms.join(', ') || 'no algorithm of the service'}, ${keys.length} keys`,
    )
  } finally {
    await token.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
