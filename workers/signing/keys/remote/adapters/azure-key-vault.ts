import { hash } from 'node:crypto'
import { isJsonObject } from '../../../../../shared/formats/json-object.ts'
import type { KeySignerOf } from '../../../../../shared/settings/key-signers.ts'
import {
  type AdapterContext,
  type ApiAnswer,
  type CallApi,
  deleteKey,
  getJson,
  postJson,
  requestToken,
  type SignerAdapter,
} from '../adapter.ts'
import { base64urlMember, keyOfJwk, textMember, wrongAnswer } from '../check-answers.ts'
import { createAccessToken } from './access-token.ts'

const version = 'api-version=7.4'
const pageSize = 25

/** Azure Key Vault and Managed HSM (REST 7.4). They sign digests for ES256, have no Ed25519 and no key agreement. */
export function createAzureKeyVaultAdapter(
  { url, loginUrl, directoryId, clientId, clientSecretFile, scope, keyType, prefix }: KeySignerOf<'azure-key-vault'>,
  context: Pick<AdapterContext, 'clock' | 'read' | 'send'>,
): SignerAdapter {
  const token = createAccessToken(context.clock, async () => {
    const secret = (await context.read(clientSecretFile)).trim()
    const client = { client_id: clientId, client_secret: secret, scope }
    const tokenUrl = `${loginUrl}/${encodeURIComponent(directoryId)}/oauth2/v2.0/token`
    return requestToken(context, tokenUrl, { grant_type: 'client_credentials', ...client })
  })
  const keysUrl = `${url}/keys`
  return {
    supports: (algorithm) => algorithm === 'ES256',
    authorize: () => token.header(),
    forgetToken: () => token.forget(),
    async generate(call, { id, label }) {
      const keyUrl = `${keysUrl}/${nameOf(prefix, id)}`
      const earlier = await getJson(call, `${keyUrl}?${version}`, [404])
      const key = { kty: keyType, crv: 'P-256', key_ops: ['sign'], tags: { label } }
      // A repeated call would make a second version of the key.
      const create = () => postJson(call, `${keyUrl}/create?${version}`, key, { isRepeatable: false })
      const { json } = earlier.status === 404 ? await create() : earlier
      if (!isJsonObject(json.key)) throw wrongAnswer('key')
      const publicKey = keyOfJwk({ ...json.key, kty: String(json.key.kty).replace('-HSM', '') })
      return { handle: handleOf(textMember(json.key, 'kid'), keysUrl), publicKey }
    },
    async sign(call, { handle }, bytes) {
      const digest = { alg: 'ES256', value: hash('sha256', bytes, 'base64url') }
      const { json } = await postJson(call, `${keysUrl}/${handle}/sign?${version}`, digest)
      if (handleOf(textMember(json, 'kid'), keysUrl) !== handle) throw wrongAnswer('kid')
      return base64urlMember(json, 'value')
    },
    destroy: (call, handle) => deleteKey(call, `${keysUrl}/${handle.split('/')[0]}?${version}`),
    async *handles(call) {
      for await (const kid of list(call, keysUrl)) {
        if (!kid.startsWith(`${keysUrl}/${prefix}-`)) continue
        for await (const each of list(call, `${kid}/versions`)) yield handleOf(each, keysUrl)
      }
    },
    async check(call) {
      await getJson(call, `${keysUrl}?${version}&maxresults=1`)
    },
  }
}

/** Returns the name of a key. Names have no `_`, which ids can have. */
function nameOf(prefix: string, id: string): string {
  return `${prefix}-${Buffer.from(id).toString('hex')}`
}

/** Returns name and version of a key, from its URL. */
function handleOf(kid: string, keysUrl: string): string {
  const handle = kid.slice(keysUrl.length + 1)
  if (kid.startsWith(`${keysUrl}/`) && /^[\da-zA-Z-]{1,127}\/[\da-f]{32}$/.test(handle)) return handle
  throw wrongAnswer('kid')
}

/** Lists the URLs of keys, or of the versions of a key. */
async function* list(call: CallApi, url: string): AsyncGenerator<string> {
  for (let next = `${url}?${version}&maxresults=${pageSize}`; next !== ''; ) {
    const { json }: ApiAnswer = await getJson(call, next)
    if (!Array.isArray(json.value)) throw wrongAnswer('value')
    for (const each of json.value.filter(isJsonObject)) yield textMember(each, 'kid')
    const link: string = json.nextLink ? textMember(json, 'nextLink') : ''
    if (link === next) throw wrongAnswer('nextLink')
    next = link
  }
}
