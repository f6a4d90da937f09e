import { useEffect, useState } from 'preact/hooks'
import type { Received } from '../../../../../shared/wallet/collect.ts'
import { newKey, type WalletKey } from '../../../../../shared/wallet/keys.ts'
import type { Offer } from '../../../../../shared/wallet/offer.ts'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { session } from '../../kit/session.ts'
import { useFragment, useQuery } from '../../kit/url-state.ts'
import { passOn } from './authorization.ts'
import { Collecting } from './collecting.tsx'
import { createSend, type Exchange } from './exchange.ts'
import { Exchanges } from './exchanges.tsx'
import { readOffer } from './offer.ts'
import { OfferForm } from './offer-form.tsx'
import { Collected } from './result.tsx'
import { walletTexts } from './texts.ts'
import './wallet.css'

/** A wallet for the first hour: it collects the credential of an offer and shows it. */
export default function TestWallet() {
  const [query] = useQuery()
  // A code is in the offer. Browsers do not send the fragment, so no log has it.
  const [{ offer: startText }, changeFragment] = useFragment()
  const isReturn = query.state !== undefined
  return (
    <Screen title={say(walletTexts.testWallet)}>
      {!session.value?.hasTestWallet ? (
        <p class="note">{say(walletTexts.off)}</p>
      ) : isReturn ? (
        <Returned query={query} />
      ) : (
        <Wallet key={startText} startText={startText} forget={() => changeFragment({})} />
      )}
    </Screen>
  )
}

/** The tab in which the holder signed in. */
function Returned({ query }: { query: Readonly<Record<string, string | undefined>> }) {
  useEffect(() => passOn(query), [])
  return <p class="note">{say(walletTexts.closeTab)}</p>
}

function Wallet({ startText, forget }: { startText: string | undefined; forget: () => void }) {
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const [offer, setOffer] = useState<Offer>()
  const [key, setKey] = useState<WalletKey>()
  const [received, setReceived] = useState<Received>()
  const [send] = useState(() => createSend((exchange) => setExchanges((before) => [...before, exchange])))
  const restart = () => {
    forget()
    setExchanges([])
    setOffer(undefined)
    setReceived(undefined)
  }
  const read = async (text: string) => {
    setExchanges([])
    const answer = await readOffer(send, text)
    setKey(await newKey())
    setOffer(answer)
  }
  return (
    <>
      <p class="soft">{say(walletTexts.about)}</p>
      {!offer && <OfferForm startText={startText} read={read} />}
      {offer && key && received === undefined && (
        <Collecting holder={{ send, key, offer }} onReceived={setReceived} onCancel={restart} />
      )}
      {key && received !== undefined && <Collected received={received} walletKey={key} onAgain={restart} />}
      {exchanges.length > 0 && <Exchanges of={exchanges} />}
    </>
  )
}
