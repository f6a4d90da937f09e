// A website whose members get a credential: the page has a button that leads to the offer page of the tenant.
// CLIENT_ID=... CLIENT_SECRET=... CONFIGURATION_ID=... node examples/issue-from-website.mjs BASE_URL PORT
// The client needs the role `issuer` only. Its secret stays on the server. Needs Node.js 18 or newer and nothing else.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const [baseUrl = 'http://localhost:3000', port = '4003'] = process.argv.slice(2)
const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, CONFIGURATION_ID: configurationId } = process.env
if (!clientId || !clientSecret || !configurationId)
  throw new Error('Set CLIENT_ID, CLIENT_SECRET and CONFIGURATION_ID.')

/** The register of the website. The claims come from here and never from the browser. */
const members = {
  1001: { given_name: 'Ada', family_name: 'Lovelace' },
  1002: { given_name: 'Grace', family_name: 'Hopper' },
}
/** The member of each session. Replace it, and `signIn`, with the sign-in of your website. */
const sessions = new Map()
let token = { value: '', endsAt: 0 }

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.log(`failed: ${error.message}`)
    send(response, 502, '<p role="alert">The credential cannot be offered now. Please try again later.</p>')
  })
}).listen(Number(port), '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${port}/`))

async function answer(request, response) {
  const [, session = ''] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? []
  const member = sessions.get(session)
  const place = `${request.method} ${request.url}`
  if (place === 'POST /sign-in') await signIn(request, response)
  else if (place === 'POST /credential' && member) await offer(response, member)
  else if (place === 'GET /') send(response, 200, member ? button : signInForm)
  else send(response, member ? 404 : 401, '<p>Please <a href="/">sign in</a>.</p>')
}

/** A sign-in without a password, for this sample only. */
async function signIn(request, response) {
  const member = new URLSearchParams(await text(request)).get('member') ?? ''
  if (!Object.hasOwn(members, member)) return send(response, 401, `<p role="alert">Unknown member.</p>${signInForm}`)
  const session = randomBytes(24).toString('base64url')
  sessions.set(session, member)
  // SameSite=Strict: another website cannot make this browser request a credential. Add `Secure` behind https.
  const cookie = `session=${session}; HttpOnly; SameSite=Strict; Path=/`
  response.writeHead(303, { location: '/', 'set-cookie': cookie }).end()
}

/** Makes an offer for the member who is signed in, and leads the browser to its page. The offer is valid for five minutes. */
async function offer(response, member) {
  const body = { credentials: [configurationId], claims: members[member], expiresIn: { minutes: 5 } }
  const { id, page } = await call('/v1/openid/offers/pre-authorized', body)
  console.log(`offer ${id}`)
  response.writeHead(303, { location: page, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' }).end()
}

async function call(path, body) {
  const headers = { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' }
  const answered = await fetch(new URL(path, baseUrl), { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answered.ok) throw new Error(`${path} answered ${answered.status}: ${await answered.text()}`)
  return answered.json()
}

/** Returns a token, which is requested again a minute before it ends. */
async function accessToken() {
  if (Date.now() < token.endsAt) return token.value
  const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answered = await fetch(new URL('/oauth/token', baseUrl), {
    method: 'POST',
    body: new URLSearchParams(credentials),
  })
  if (!answered.ok) throw new Error(`/oauth/token answered ${answered.status}`)
  const { access_token: value, expires_in: seconds } = await answered.json()
  token = { value, endsAt: Date.now() + (seconds - 60) * 1000 }
  return value
}

const button = `<h1>Your membership</h1>
<form method="post" action="/credential"><button>Get your credential</button></form>`
const signInForm = `<form method="post" action="/sign-in">
<label>Member number <input name="member" required placeholder="1001"></label> <button>Sign in</button></form>`

function send(response, status, content) {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead(status, headers).end(`<!doctype html><html lang="en"><title>Membership</title>${content}</html>`)
}
