import { isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { requireSuccess, type Send, WalletError } from './exchange.ts'
import { nameIn } from './names.ts'
import { walletTexts } from './texts.ts'

type Data = Record<string, unknown>

/** An offer with what the wallet must know of its issuer. */
export interface Offer {
  issuer: string
  credentials: { id: string; name: string; isBound: boolean }[]
  /** The grant of an offer for one person. */
  preAuthorized?: { code: string; needsCode: boolean; description: string }
  /** The grant of an offer for anybody who signs in. */
  authorization?: { issuerState: string | undefined }
  metadata: Data
  server: Data
}

export const preAuthorizedGrant = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** Reads an offer and the metadata of its issuer. Throws a WalletError. */
export async function readOffer(send: Send, text: string): Promise<Offer> {
  const offer = await findOffer(send, text.trim())
  const issuer = String(offer.credential_issuer ?? '')
  if (new URL(issuer).origin !== location.origin) throw new WalletError(say(walletTexts.foreign, { issuer }))
  const get = async (path: string) =>
    requireSuccess(path, await send({ method: 'GET', url: `${location.origin}${path}` }))
  const metadata = await get('/.well-known/openid-credential-issuer')
  const server = await get('/.well-known/oauth-authorization-server')
  const grants = recordOf(offer.grants)
  const pre = recordOf(grants[preAuthorizedGrant])
  const code = recordOf(pre.tx_code)
  const configurations = recordOf(metadata.credential_configurations_supported)
  return {
    issuer,
    credentials: listOf(offer.credential_configuration_ids).map((id) => {
      const configuration = recordOf(configurations[id])
      return { id, name: nameIn(configuration) ?? id, isBound: configuration.proof_types_supported !== undefined }
    }),
    ...(pre['pre-authorized_code'] !== undefined && {
      preAuthorized: {
        code: String(pre['pre-authorized_code']),
        needsCode: pre.tx_code !== undefined,
        description: String(code.description ?? ''),
      },
    }),
    ...(isRecord(grants.authorization_code) && {
      authorization: { issuerState: textOf(grants.authorization_code.issuer_state) },
    }),
    metadata,
    server,
  }
}

async function findOffer(send: Send, text: string): Promise<Data> {
  const query = URL.parse(text)?.searchParams
  const value = query?.get('credential_offer')
  const reference = query?.get('credential_offer_uri')
  if (value) return parsedOffer(value)
  if (reference) return requireSuccess('credential_offer_uri', await send({ method: 'GET', url: reference }))
  const uri = /^https?:\/\/[^/]+\/o\//.test(text) && (await offerOfPage(text))
  if (!uri) throw new WalletError(say(walletTexts.notAnOffer))
  return findOffer(send, uri)
}

function parsedOffer(text: string): Data {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    throw new WalletError(say(walletTexts.notAnOffer))
  }
}

/** Returns the link to wallets in the page of an offer. The page is a text here, and never becomes a part of this page. */
async function offerOfPage(address: string): Promise<string | undefined> {
  if (new URL(address).origin !== location.origin) return undefined
  const page = await (await fetch(address, { credentials: 'omit' })).text()
  return /"(openid-credential-offer:[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
}

export const recordOf = (value: unknown): Data => (isRecord(value) ? value : {})
export const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
