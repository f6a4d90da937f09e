import { useState } from 'preact/hooks'
import type { Received } from '../../../../../shared/wallet/collect.ts'
import type { WalletKey } from '../../../../../shared/wallet/keys.ts'
import { ActButton } from '../../kit/act-button.tsx'
import { Badge, Facts, Json, type Mood, Verbatim } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { decodeList, mediaTypeOf } from '../status-lists/decode.ts'
import { attempt } from './attempt.ts'
import { type Decoded, decodeCredential } from './decode.ts'
import { WalletError } from './exchange.ts'
import { walletTexts as t } from './texts.ts'

/** The collected credential, decoded. */
export function Collected(props: { received: Received; walletKey: WalletKey; onAgain: () => void }) {
  const { received, walletKey, onAgain } = props
  const decoded = decodeCredential(received)
  const text = typeof received === 'string' ? received : JSON.stringify(received)
  return (
    <section class="collected">
      <header class="head">
        <h2>{say(t.collected)}</h2>
        <div class="actions">
          <button type="button" onClick={onAgain}>
            {say(t.again)}
          </button>
        </div>
      </header>
      {decoded ? <Parts of={decoded} /> : <p class="soft">{say(t.notDecoded)}</p>}
      <details>
        <summary>{say(t.text)}</summary>
        <Verbatim text={text} label={say(t.text)} />
      </details>
      <details>
        <summary>{say(t.key)}</summary>
        <Json value={walletKey.publicJwk} />
      </details>
    </section>
  )
}

function Parts({ of: { profile, header, content, disclosures, status } }: { of: Decoded }) {
  return (
    <>
      <Facts
        of={[
          [t.format, profile],
          [t.status, status && <code key="url">{status.url}</code>],
          [t.index, status && String(status.index)],
        ]}
      />
      {status ? <StatusOf profile={profile} {...status} /> : <p class="soft">{say(t.noStatus)}</p>}
      <h3>{say(t.content)}</h3>
      <Json value={content} />
      {disclosures && disclosures.length > 0 && (
        <>
          <h3>{say(t.disclosures)}</h3>
          <Json value={disclosures} />
        </>
      )}
      {header !== undefined && (
        <details>
          <summary>{say(t.header)}</summary>
          <Json value={header} />
        </details>
      )}
    </>
  )
}

const words: readonly { name: 'valid' | 'invalid' | 'suspended'; mood: Mood }[] = [
  { name: 'valid', mood: 'good' },
  { name: 'invalid', mood: 'bad' },
  { name: 'suspended', mood: 'warn' },
]

/** The status of the credential in its published list. The signature of the list is not checked here. */
function StatusOf({ profile, url, index }: { profile: Decoded['profile']; url: string; index: number }) {
  const [read, setRead] = useState<number>()
  const word = read === undefined ? undefined : words[read]
  return (
    <div class="actions">
      <ActButton
        calls={[]}
        label={say(t.readStatus)}
        act={() => attempt(() => readStatus(profile, url, index))}
        onDone={setRead}
      />
      {word && (
        <span role="status">
          <Badge mood={word.mood}>{say(t[word.name])}</Badge>
        </span>
      )}
    </div>
  )
}

async function readStatus(profile: Decoded['profile'], url: string, index: number): Promise<number> {
  const headers = { Accept: mediaTypeOf(profile) }
  const response = await fetch(url, { headers, credentials: 'omit', cache: 'no-cache' })
  const list = response.ok ? await decodeList(profile, await response.arrayBuffer()).catch(() => undefined) : undefined
  const status = list?.statusAt(index)
  if (status === undefined) throw new WalletError(say(t.noList))
  return status
}
