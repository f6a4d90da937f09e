import { hash } from 'node:crypto'
import { isJsonObject } from '../../../../../shared/formats/json-object.ts'
import type { KeySignerOf } from '../../../../../shared/settings/key-signers.ts'
import {
  type AdapterContext,
  type ApiAnswer,
  type CallApi,
  getJson,
  postJson,
  requestToken,
  type SignerAdapter,
} from '../adapter.ts'
import { base64Member, keyOfSpki, textMember, wrongAnswer } from '../check-answers.ts'
import { createAccessToken } from './access-token.ts'
import { rawSignatureOf } from './der-signature.ts'
import { serviceAccountAssertion } from './service-account.ts'

const pageSize = 100
/** A key of an HSM is made in the background, in a few seconds. */
const looksAtNewKey = 20
const betweenLooksMs = 250

/** Google Cloud KMS (REST v1). It signs digests for ES256. Its Ed25519 signs short messages only, and it has no key agreement by ECDH. */
export function createGoogleKmsAdapter(
  { keyRing, url, tokenUrl, credentialsFile, protectionLevel, prefix }: KeySignerOf<'google-kms'>,
  context: AdapterContext,
): SignerAdapter {
  const { clock, read } = context
  const token = createAccessToken(clock, async () => {
    const assertion = serviceAccountAssertion(await read(credentialsFile), tokenUrl, clock.now())
    return requestToken(context, tokenUrl, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  })
  const keysUrl = `${url}/v1/${keyRing}/cryptoKeys`
  return {
    supports: (algorithm) => algorithm === 'ES256',
    authorize: () => token.header(),
    forgetToken: () => token.forget(),
    async generate(call, { id }) {
      const keyId = `${prefix}-${id}`
      const versionTemplate = { algorithm: 'EC_SIGN_P256_SHA256', protectionLevel }
      // Status 409: an earlier call has made the key.
      const description = { purpose: 'ASYMMETRIC_SIGN', versionTemplate }
      await postJson(call, `${keysUrl}?cryptoKeyId=${keyId}`, description, { accepts: [409] })
      const handle = `${keyRing}/cryptoKeys/${keyId}/cryptoKeyVersions/1`
      return { handle, publicKey: await waitForPublicKey(call, `${url}/v1/${handle}`, context) }
    },
    async sign(call, { handle }, bytes) {
      const digest = { sha256: hash('sha256', bytes, 'base64') }
      const { json } = await postJson(call, `${url}/v1/${handle}:asymmetricSign`, { digest })
      if (json.name !== handle) throw wrongAnswer('name')
      return rawSignatureOf(base64Member(json, 'signature'))
    },
    async destroy(call, handle) {
      const { status } = await postJson(call, `${url}/v1/${handle}:destroy`, {}, { accepts: [400, 404] })
      if (status !== 400) return
      const { json } = await getJson(call, `${url}/v1/${handle}`)
      if (json.state !== 'DESTROY_SCHEDULED' && json.state !== 'DESTROYED') throw wrongAnswer('state')
    },
    async *handles(call) {
      for await (const name of list(call, keysUrl, 'cryptoKeys')) {
        if (!name.startsWith(`${keyRing}/cryptoKeys/${prefix}-`)) continue
        // Names of destroyed keys stay for ever.
        yield* list(call, `${url}/v1/${name}/cryptoKeyVersions`, 'cryptoKeyVersions', { filter: 'state=ENABLED' })
      }
    },
    async check(call) {
      await getJson(call, `${keysUrl}?pageSize=1`)
    },
  }
}

/** Waits until a new key has a public key. Until then, its status is 400. */
async function waitForPublicKey(call: CallApi, keyUrl: string, { pause }: Pick<AdapterContext, 'pause'>) {
  for (let looks = 1; looks <= looksAtNewKey; looks++) {
    const { status, json } = await getJson(call, `${keyUrl}/publicKey`, [400])
    if (status === 200) return keyOfSpki(textMember(json, 'pem'))
    await pause(betweenLooksMs)
  }
  throw wrongAnswer('the public key of a new key')
}

/** Lists the names of resources. */
async function* list(
  call: CallApi,
  url: string,
  member: string,
  filter: Record<string, string> = {},
): AsyncGenerator<string> {
  for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
    const query = new URLSearchParams({ ...filter, pageSize: String(pageSize), ...(pageToken && { pageToken }) })
    const { json }: ApiAnswer = await getJson(call, `${url}?${query}`)
    const items: unknown = json[member] ?? []
    if (!Array.isArray(items)) throw wrongAnswer(member)
    for (const item of items.filter(isJsonObject)) yield textMember(item, 'name')
    pageToken = json.nextPageToken ? textMember(json, 'nextPageToken') : undefined
  }
}
