import { type Data, objectIn, requireSuccess, type Send } from '../../../../../shared/wallet/exchange.ts'
import { describeOffer, metadataAddress, type Offer } from '../../../../../shared/wallet/offer.ts'
import { say } from '../../kit/language.ts'
import { WalletError } from './exchange.ts'
import { walletTexts } from './texts.ts'

/** Reads an offer and the metadata of its issuer. Throws a WalletError or a StepError. */
export async function readOffer(send: Send, text: string): Promise<Offer> {
  const offer = await findOffer(send, text.trim())
  const issuer = String(offer.credential_issuer ?? '')
  if (new URL(issuer).origin !== location.origin) throw new WalletError(say(walletTexts.foreign, { issuer }))
  const get = async (document: string) =>
    requireSuccess(document, await send({ method: 'GET', url: metadataAddress(issuer, document) }))
  const metadata = await get('openid-credential-issuer')
  return describeOffer(offer, metadata, await get('oauth-authorization-server'))
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
    return objectIn(JSON.parse(text))
  } catch {
    throw new WalletError(say(walletTexts.notAnOffer))
  }
}

/** Returns the link to wallets in the page of an offer. The page is a text here, and never becomes a part of this page. */
async function offerOfPage(address: string): Promise<string | undefined> {
  if (new URL(address).origin !== location.origin) return undefined
  const page = await (await fetch(address, { credentials: 'omit' })).text()
  const link = /href="([^"]+credential_offer[^"]+)"/.exec(page)?.[1]
  return link?.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}
