import { fileURLToPath } from 'node:url'
import { useCompileCache } from '../process/compile-cache.ts'
import { exitIfMisconfigured } from '../process/dependency.ts'
import { readConfig, readKeyEncryptionKeys } from '../settings/config.ts'
import { isKeyOfToken, listedKeys, withKeyFiles } from '../settings/key-files.ts'
import { readKeySigners } from '../settings/key-signers.ts'
import { withSecretFiles } from '../settings/secret-files.ts'

/** The launcher of `npm start`, which start.ts runs. Checks the settings before it loads the other modules. */
process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
const env = exitIfMisconfigured(() => withKeyFiles(withSecretFiles(process.env)))
const config = exitIfMisconfigured(() => readConfig(env))
// The signing process opens keys with the token.
exitIfMisconfigured(() => listedKeys('KEY_ENCRYPTION_KEY', env).some(isKeyOfToken) || readKeyEncryptionKeys(env))
exitIfMisconfigured(() => readKeySigners(env))
useCompileCache(config.dataDir)
const { launch } = await import('./launch.ts')
process.exit(await launch(config, env))
