import { pino } from 'pino'
import type { Reader } from '../../db/client.ts'
import { listKeyComparisons } from '../../db/repos/identifiers/key-comparisons.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { openToken } from '../../workers/signing/keys/pkcs11/open-token.ts'
import { createTokenProvider } from '../../workers/signing/keys/pkcs11/token-provider.ts'
import { makeTokenFolder } from '../harness/softhsm.ts'
import { must } from './outside.ts'

/** Makes a token of SoftHSM2, and opens it. */
export async function openTestToken() {
  const folder = makeTokenFolder('time-machine')
  const { PKCS11_MODULE: module, PKCS11_TOKEN: uri, PKCS11_PIN_FILE: pinFile, SOFTHSM2_CONF } = folder.env
  process.env.SOFTHSM2_CONF = SOFTHSM2_CONF
  const provider = createTokenProvider(await openToken({ module, uri, pinFile, log: pino({ level: 'silent' }) }))
  return {
    provider,
    async [Symbol.asyncDispose]() {
      await provider.close()
      folder[Symbol.dispose]()
    },
  }
}

/** What the keys of a service are for that has issued, published and rotated. */
const kinds = [
  ...['audit Ed25519', 'certificate ES256', 'did ES256', 'did Ed25519', 'encryption ECDH-ES'],
  ...['token Ed25519', 'webhook Ed25519'],
]

/** Requires keys of each kind, all of them in the token, no private key in the database, and none that the token lacks. */
export async function requireKeysInToken(db: Reader): Promise<void> {
  const rows = await db.select().from(keys)
  for (const row of rows) {
    const isInToken = row.provider === 'pkcs11' && row.wrappedPrivateKey.length === 0 && row.wrappedUnder === ''
    must(isInToken, `the key ${row.id} of ${row.purpose} is in the database`)
  }
  const found = [...new Set(rows.map(({ purpose, algorithm }) => `${purpose} ${algorithm}`))].toSorted()
  must(found.join() === kinds.join(), `the keys are of ${found.join(', ')}`)
  const comparisons = await listKeyComparisons(db)
  must(comparisons.length === 1, 'the keys were not compared with those of the token')
  for (const { missingCount, missing } of comparisons)
    must(missingCount === 0, `the token lacks keys: ${JSON.stringify(missing)}`)
}
