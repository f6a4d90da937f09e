import { createLog } from '../../../../shared/log/log.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../../shared/process/dependency.ts'
import { measureToken } from './measure-token.ts'
import { openToken } from './open-token.ts'
import { readTokenSettings } from './token-settings.ts'

/**
 * `npm run pkcs11:check`: opens the token of the settings once, and prints its name, its algorithms and the number of its keys. With
 * `-- --bench` it also prints how many signatures per second the token makes.
 */
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
    if (process.argv.includes('--bench'))
      for (const { algorithm, token: rate, software, ratio } of await measureToken(token))
        console.log(
          `${algorithm}: ${Math.round(rate)} signatures per second, ${ratio.toFixed(2)} of software keys (${Math.round(software)})`,
        )
  } finally {
    await token.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
