// A claim source: returns claims of a person from a register. API_KEY=secret node examples/claim-source.mjs PORT
// Trustwright calls it during an issuance. Needs Node.js 18 or newer and nothing else.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const [port = '4001'] = process.argv.slice(2)
const { API_KEY: apiKey } = process.env
if (!apiKey) throw new Error('Set API_KEY to the key of the claim source.')

// Replace this by a query of your database.
const register = new Map([['ada@example.com', { student_number: 'S-1001', degree: 'Mathematics' }]])

createServer((request, response) => {
  const { status, body } = answerTo(request)
  // Do not log claims or keys.
  console.log(`${request.method} ${status}`)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}).listen(Number(port), () => console.log(`Listening on port ${port}`))

function answerTo({ url, headers }) {
  if (!isKey(headers['x-api-key'])) return { status: 401, body: { error: 'The key is wrong' } }
  const email = new URLSearchParams(url.split('?')[1]).get('email')
  const claims = register.get(email)
  return claims ? { status: 200, body: claims } : { status: 404, body: { error: 'The person is unknown' } }
}

/** Compares in constant time. */
function isKey(text = '') {
  const hash = (key) => createHash('sha256').update(key).digest()
  return timingSafeEqual(hash(text), hash(apiKey))
}
