import { hash } from 'node:crypto'
import { isJsonObject } from '../../../../../shared/formats/json-object.ts'
import type { KeySignerOf } from '../../../../../shared/settings/key-signers.ts'
import { type AdapterContext, type ApiAnswer, deleteKey, getJson, postJson, type SignerAdapter } from '../adapter.ts'
import { base64Member, base64urlMember, keyOfJwk, keyOfSpki, textMember, wrongAnswer } from '../check-answers.ts'

const keyTypes: Record<string, string> = { ES256: 'ecdsa-p256', Ed25519: 'ed25519' }
/** Each key has one version. Rotation makes another key. */
const keyVersion = 1
const signaturePrefix = `vault:v${keyVersion}:`

/** The Transit secrets engine of HashiCorp Vault and OpenBao. It has no key agreement. */
export function createVaultTransitAdapter(
  { url, tokenFile, mount, namespace, prefix }: KeySignerOf<'vault-transit'>,
  { read }: Pick<AdapterContext, 'read'>,
): SignerAdapter {
  const base = `${url}/v1/${mount}`

  return {
    supports: (algorithm) => algorithm in keyTypes,
    async authorize() {
      const token = (await read(tokenFile)).trim()
      return { 'x-vault-token': token, ...(namespace !== undefined && { 'x-vault-namespace': namespace }) }
    },
    async generate(call, { id, algorithm }) {
      // Vault refuses a name that ends with -, which ids can. Writing an existing key changes nothing.
      const name = `${prefix}-${id}-key`
      await postJson(call, `${base}/keys/${name}`, {
        type: keyTypes[algorithm],
        exportable: false,
        allow_plaintext_backup: false,
      })
      const key = dataOf((await getJson(call, `${base}/keys/${name}`)).json)
      if (key.type !== keyTypes[algorithm]) throw wrongAnswer('type')
      return { handle: name, publicKey: publicKeyOf(key, algorithm) }
    },
    async sign(call, { handle, algorithm }, bytes) {
      const input =
        algorithm === 'ES256'
          ? { input: hash('sha256', bytes, 'base64'), prehashed: true, marshaling_algorithm: 'jws' }
          : { input: Buffer.from(bytes).toString('base64') }
      const path = algorithm === 'ES256' ? `/sign/${handle}/sha2-256` : `/sign/${handle}`
      const { json } = await postJson(call, `${base}${path}`, { ...input, key_version: keyVersion })
      const text = textMember(dataOf(json), 'signature')
      if (!text.startsWith(signaturePrefix)) throw wrongAnswer('signature')
      const signature = { signature: text.slice(signaturePrefix.length) }
      return algorithm === 'ES256' ? base64urlMember(signature, 'signature') : base64Member(signature, 'signature')
    },
    async destroy(call, handle) {
      const { status } = await getJson(call, `${base}/keys/${handle}`, [404])
      if (status === 404) return
      await postJson(call, `${base}/keys/${handle}/config`, { deletion_allowed: true })
      await deleteKey(call, `${base}/keys/${handle}`)
    },
    async *handles(call) {
      // Vault returns all names in one answer, and 404 for none.
      const { status, json } = await getJson(call, `${base}/keys?list=true`, [404])
      if (status === 404) return
      const { keys } = dataOf(json)
      if (!Array.isArray(keys)) throw wrongAnswer('keys')
      for (const name of keys) if (String(name).startsWith(`${prefix}-`)) yield String(name)
    },
    async check(call) {
      await getJson(call, `${url}/v1/auth/token/lookup-self`)
    },
  }
}

function dataOf({ data }: ApiAnswer['json']): ApiAnswer['json'] {
  if (isJsonObject(data)) return data
  throw wrongAnswer('data')
}

/** Returns the public key of the first version: PEM for ECDSA, and the 32 bytes in base64 for Ed25519. */
function publicKeyOf({ keys }: ApiAnswer['json'], algorithm: string) {
  const version = isJsonObject(keys) ? keys[keyVersion] : undefined
  if (!isJsonObject(version)) throw wrongAnswer('keys')
  if (algorithm === 'ES256') return keyOfSpki(textMember(version, 'public_key'))
  return keyOfJwk({ kty: 'OKP', crv: 'Ed25519', x: base64Member(version, 'public_key').toString('base64url') })
}
