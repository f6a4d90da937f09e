// The smallest wallet: takes a pre-authorized offer and prints what it was given: node examples/wallet.mjs OFFER_URI [TX_CODE]
// With ACCESS_TOKEN, an access token of another authorization server, it takes an offer for anyone who signs in there.
import dns from 'node:dns'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

// RFC 6761, section 6.3: names in .localhost are this machine, which not every system knows.
const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name.endsWith('.localhost') ? 'localhost' : name, ...rest)

const [offerUri, txCode] = process.argv.slice(2)
if (!URL.canParse(offerUri)) {
  console.error('Usage: node examples/wallet.mjs OFFER_URI [TX_CODE]')
  process.exit(2)
}
const preAuthorized = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

const offer = await readOffer(new URL(offerUri).searchParams)
const [configurationId] = offer.credential_configuration_ids
// OpenID4VCI 1.0, section 12.2.2: the well-known part stands between host and path.
const issuer = await send(wellKnown('openid-credential-issuer', offer.credential_issuer))
const accessToken = process.env.ACCESS_TOKEN ?? (await requestToken())

const { publicKey, privateKey } = await generateKeyPair('ES256')
const { c_nonce: nonce } = await send(issuer.nonce_endpoint, { method: 'POST' })
const proof = await new SignJWT({ nonce })
  .setProtectedHeader({ alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk: await exportJWK(publicKey) })
  .setAudience(issuer.credential_issuer)
  .setIssuedAt()
  .sign(privateKey)
const credential = await send(issuer.credential_endpoint, {
  method: 'POST',
  headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ credential_configuration_id: configurationId, proofs: { jwt: [proof] } }),
})
console.log(JSON.stringify(credential))

async function requestToken() {
  const [server = issuer.credential_issuer] = issuer.authorization_servers ?? []
  const { token_endpoint: tokenEndpoint } = await send(wellKnown('oauth-authorization-server', server))
  const code = { grant_type: preAuthorized, 'pre-authorized_code': offer.grants[preAuthorized]['pre-authorized_code'] }
  const body = new URLSearchParams(txCode ? { ...code, tx_code: txCode } : code)
  return (await send(tokenEndpoint, { method: 'POST', body })).access_token
}

async function readOffer(query) {
  return query.has('credential_offer')
    ? JSON.parse(query.get('credential_offer'))
    : send(query.get('credential_offer_uri'))
}

function wellKnown(name, url) {
  const { origin, pathname } = new URL(url)
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`
}

async function send(url, request) {
  const response = await fetch(url, request)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
