// Prints the webhooks that Trustwright signed, and refuses all others: node examples/webhook-receiver.mjs BASE_URL PORT
// Needs Node.js 18 or newer and nothing else.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createServer } from 'node:http'

const [baseUrl = 'http://localhost:3000', port = '4000'] = process.argv.slice(2)
const mustBeCovered = ['@request-target', '@method', '@authority', 'content-digest']
const freshSeconds = 300
let keys = []

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const fault = await findFault(request, body).catch((error) => error.message)
  console.log(fault ? `refused: ${fault}` : body.toString())
  response.writeHead(fault ? 401 : 204).end()
}).listen(Number(port))

/** What is wrong with the signature (RFC 9421); undefined when nothing is. */
async function findFault({ method, url, headers }, body) {
  const [, params, list] = /^sig1=(\(([^)]*)\).*)$/.exec(headers['signature-input'] ?? '') ?? []
  if (!params) return 'no signature'
  const names = list.split(' ').map((name) => name.slice(1, -1))
  const [, created] = /;created=(\d+)/.exec(params) ?? []
  const [, keyId] = /;keyid="([^"]+)"/.exec(params) ?? []
  if (!mustBeCovered.every((name) => names.includes(name))) return 'the signature does not cover what it should'
  if (!(Math.abs(Date.now() / 1000 - created) < freshSeconds)) return 'the signature is too old'
  const digest = createHash('sha256').update(body).digest('base64')
  if (headers['content-digest'] !== `sha-256=:${digest}:`) return 'the body was changed'

  const values = { '@request-target': url, '@method': method, '@authority': headers.host, ...headers }
  const lines = names.map((name) => `"${name}": ${values[name]}\n`)
  const base = `${lines.join('')}"@signature-params": ${params}`
  const key = await findKey(keyId)
  const signature = Buffer.from(headers.signature?.replace(/^sig1=:|:$/g, '') ?? '', 'base64')
  return key && verify(null, Buffer.from(base), key, signature) ? undefined : 'the signature is wrong'
}

/** Keys rotate. A receiver reads the keys again if it does not know the key of a signature. */
async function findKey(keyId) {
  const find = () => keys.find(({ kid }) => kid === keyId)
  if (!find()) ({ keys } = await (await fetch(`${baseUrl}/v1/webhooks/jwks`)).json())
  return find() && createPublicKey({ key: find(), format: 'jwk' })
}
