import { createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { z } from 'zod'
import { createLog } from '../../../../shared/log/log.ts'
import { addOnFile } from '../../../../workers/signing/keys/pkcs11/module-folder.ts'
import { openToken, type Token, type TokenKey } from '../../../../workers/signing/keys/pkcs11/open-token.ts'
import { keyUri, parseTokenUri, TokenUriError } from '../../../../workers/signing/keys/pkcs11/token-uri.ts'
import { KeyProviderRefused } from '../../../../workers/signing/keys/provider.ts'
import { UsageError } from '../command.ts'
import type { CeremonyKey, CeremonyKeys } from './ceremony-keys.ts'
import { parseFile, readLimited } from './read-ceremony.ts'

/** The facts of a machine. The PIN is only in its file. */
const Machine = z.strictObject({
  module: z.string('Must be a text').regex(/^\//, 'Must be the absolute path of the PKCS#11 library of the device'),
  token: z.string('Must be a text').superRefine((uri, context) => {
    try {
      parseTokenUri(uri)
    } catch (error) {
      if (!(error instanceof TokenUriError)) throw error
      context.addIssue({ code: 'custom', message: `The URI ${error.message}` })
    }
  }),
  pinFile: z.string('Must be a text').min(1, 'Must be the path of a file with the PIN'),
})

/** Opens the token that the file of a machine names. Throws a `FilesError` that names each wrong field. */
export async function openTokenKeys(path: string): Promise<CeremonyKeys> {
  const { content } = parseFile(basename(path), readLimited(path), Machine)
  if (!existsSync(addOnFile)) throw new UsageError('The module for PKCS#11 is not built. Run "npm run pkcs11:build".')
  const pinFile = resolve(dirname(path), content.pinFile)
  const log = createLog({ process: 'ceremony', level: 'silent', pretty: false })
  return keysIn(await openToken({ module: content.module, uri: content.token, pinFile, log }))
}

function keysIn(token: Token): CeremonyKeys {
  const handleOf = (label: string) => keyUri(token.label, { id: Buffer.from(label), label })
  return {
    place: `the token "${token.label}"`,
    generate: async (label) => keyOf(token, await token.generateKeyPair({ algorithm: 'ES256', label, id: label })),
    async find(label) {
      const key = await token.find(handleOf(label))
      return key && keyOf(token, key)
    },
    async findByPublicKey(publicKey) {
      for (const handle of await token.list()) {
        const key = await token.find(handle).catch(ignoreRefusal)
        if (key && publicKeyOf(key).equals(publicKey)) return keyOf(token, key)
      }
      return undefined
    },
    destroy: (label) => token.destroy(handleOf(label)),
    close: () => token.close(),
  }
}

/** A token can have keys of other programs, which are no key of a certificate of a ceremony. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof KeyProviderRefused)) throw error
}

function keyOf(token: Token, key: TokenKey): CeremonyKey {
  const { handle } = key
  const publicKey = publicKeyOf(key)
  return { handle, publicKey, sign: (bytes) => token.sign({ handle, algorithm: 'ES256', publicKey }, bytes) }
}

function publicKeyOf({ publicJwk }: TokenKey) {
  return createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
}
