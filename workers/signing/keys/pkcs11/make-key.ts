import { createLog } from '../../../../shared/log/log.ts'
import { exitIfMisconfigured, Misconfigured } from '../../../../shared/process/dependency.ts'
import { openToken } from './open-token.ts'
import { sealNewKey } from './sealed-keys.ts'
import { readTokenSettings } from './token-settings.ts'

/**
 * `npm run --silent pkcs11:make-key -- LABEL`: prints a value of KEY_ENCRYPTION_KEY that names the secret key LABEL of the token.
 * `npm run --silent pkcs11:seal-key -- LABEL`: prints a new value of KEY_ENCRYPTION_KEY that only this secret key opens.
 * Both generate the secret key if the token has none.
 */
const [command, label, ...others] = process.argv.slice(2)
if ((command !== 'make-key' && command !== 'seal-key') || !label || others.length > 0) {
  console.error(`npm run --silent pkcs11:${command === 'make-key' ? command : 'seal-key'} -- LABEL`)
  process.exit(2)
}
const settings = exitIfMisconfigured(() => {
  const settings = readTokenSettings(process.env)
  if (!settings) throw new Misconfigured('PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE are not set.')
  return settings
})
try {
  const token = await openToken({ ...settings, log: createLog({ process: 'pkcs11', level: 'silent', pretty: false }) })
  try {
    console.log(await (command === 'make-key' ? token.makeSecretKey({ label, id: label }) : sealNewKey(token, label)))
  } finally {
    await token.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
