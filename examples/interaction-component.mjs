// An interaction component: asks a person for a student number between sign-in and issuance.
// SECRET=... node examples/interaction-component.mjs BASE_URL PORT
// BASE_URL is that of the tenant, SECRET the base64 text of its interaction hook. Needs Node.js 18 or newer and nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const [baseUrl = 'http://localhost:3000', port = '4002'] = process.argv.slice(2)
const { SECRET: secret } = process.env
if (!secret) throw new Error('Set SECRET to the secret of the interaction hook.')
/** The `url` of the interaction hook. */
const ownUrl = `http://127.0.0.1:${port}/`
const key = Buffer.from(secret, 'base64')

createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
}).listen(Number(port), () => console.log(`Listening at ${ownUrl}`))

async function answer(request, response) {
  const fields = new URLSearchParams(request.method === 'POST' ? await text(request) : request.url.split('?')[1])
  const session = verify(fields.get('session_token') ?? '')
  const number = fields.get('student_number')
  if (!session) send(response, 400, '<p>This page has expired. Please go back to your wallet and start again.</p>')
  else if (request.method === 'POST' && /^S-\d{4}$/.test(number)) goBack(response, session, { student_number: number })
  else send(response, 200, form(fields.get('session_token'), number !== null))
}

/** Returns to the tenant with the claims. The tenant accepts the state once, and only in the same browser. */
function goBack(response, { state, redirectUrl }, claims) {
  const now = Math.floor(Date.now() / 1000)
  const answer = { iss: ownUrl, aud: baseUrl, state, claims, claimsToPersist: [], iat: now, exp: now + 60 }
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(answer)}`
  const target = new URL(redirectUrl)
  target.searchParams.set('session_token', `${input}.${sign(input)}`)
  response.writeHead(303, { location: target.href }).end()
}

/** Returns the content of a session token of the tenant. Returns undefined if it is wrong or expired. */
function verify(token) {
  // The form contains the token, so it must have no other characters.
  const [, header, payload, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? []
  if (signature === undefined) return undefined
  const [received, expected] = [Buffer.from(signature), Buffer.from(sign(`${header}.${payload}`))]
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined
  const session = JSON.parse(Buffer.from(payload, 'base64url'))
  const isForThis = session.iss === baseUrl && session.aud === ownUrl
  return isForThis && session.exp > Date.now() / 1000 ? session : undefined
}

function form(token, isWrong) {
  return `<form method="post" action="/"><input type="hidden" name="session_token" value="${token}">
<label>Student number <input name="student_number" required placeholder="S-1001"></label>
${isWrong ? '<p role="alert">Write the letter S, a hyphen and four digits.</p>' : ''}
<button>Continue</button></form>`
}

function send(response, status, content) {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }
  response.writeHead(status, headers).end(`<!doctype html><title>Student number</title>${content}`)
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (input) => createHmac('sha256', key).update(input).digest('base64url')
