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
  type SignerAdapter,
} from '../adapter.ts'
import { base64urlMember, keyOfJwk, textMember, wrongAnswer } from '../check-answers.ts'

const pageSize = 100

/** The protocol of docs/remote-signer.md. */
export function createRemoteSignerAdapter(
  { url, tokenFile, algorithms }: KeySignerOf<'remote-signer'>,
  { read }: Pick<AdapterContext, 'read'>,
): SignerAdapter {
  const keyUrl = (handle: string) => `${url}/v1/keys/${encodeURIComponent(handle)}`
  return {
    supports: (algorithm) => algorithms.includes(algorithm),
    async authorize() {
      return tokenFile === undefined ? {} : { authorization: `Bearer ${(await read(tokenFile)).trim()}` }
    },
    async generate(call, { id, label, algorithm }) {
      // The idempotency key makes a repeated request harmless.
      const made = await postJson(call, `${url}/v1/keys`, { algorithm, label }, { headers: { 'idempotency-key': id } })
      const handle = textMember(made.json, 'kid')
      return { handle, publicKey: keyOfJwk((await getJson(call, keyUrl(handle))).json) }
    },
    async sign(call, { handle, algorithm }, bytes) {
      // PureEdDSA signs the message itself (RFC 8032, section 5.1.6).
      const input =
        algorithm === 'ES256'
          ? { digest: hash('sha256', bytes, 'base64url') }
          : { message: Buffer.from(bytes).toString('base64url') }
      const { json } = await postJson(call, `${url}/v1/sign`, { key: handle, algorithm, ...input })
      return base64urlMember(json, 'signature')
    },
    async derive(call, { handle, algorithm }, publicKey) {
      const { json } = await postJson(call, `${url}/v1/derive`, { key: handle, algorithm, publicKey })
      return base64urlMember(json, 'secret')
    },
    destroy: (call, handle) => deleteKey(call, keyUrl(handle)),
    handles: (call) => listHandles(call, url),
    async check(call) {
      await getJson(call, `${url}/v1/keys?limit=1`)
    },
  }
}

async function* listHandles(call: CallApi, url: string): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(after && { after }) })
    const { json }: ApiAnswer = await getJson(call, `${url}/v1/keys?${query}`)
    if (!Array.isArray(json.keys)) throw wrongAnswer('keys')
    for (const key of json.keys) yield textMember(isJsonObject(key) ? key : {}, 'kid')
    const next: string | undefined = json.next === undefined ? undefined : textMember(json, 'next')
    if (next === after) throw wrongAnswer('next')
    after = next
  }
}
