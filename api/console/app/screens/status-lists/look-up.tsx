import { useState } from 'preact/hooks'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { CopyButton, Id } from '../../kit/copy.tsx'
import { Badge, Facts, Section } from '../../kit/elements.tsx'
import { FieldInput } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Shown } from '../../kit/states.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, When } from '../../kit/when.tsx'
import { profileTexts } from '../configurations/texts.ts'
import { type DecodedList, decodeList, mediaTypeOf } from './decode.ts'
import { statusListTexts as own } from './texts.ts'

type List = Schemas['StatusList']

/** Shows the status at an index of a published list. Reads the list like verifiers do, but without checking its signature. */
export function LookUp({ list }: { list: List }) {
  const [{ entry = '' }, change] = useQuery()
  const [typed, setTyped] = useState(entry)
  const { id, size, published } = list
  const decoded = useRead(() => readDecoded(list), [id, published?.version])
  const submit = (event: Event) => {
    event.preventDefault()
    change({ entry: typed.trim() })
  }
  const index = /^\d{1,9}$/.test(entry) ? Number(entry) : undefined
  return (
    <Section title={say(profileTexts[list.profile])}>
      <Facts
        of={[
          [own.list, <Id key="id" value={id} />],
          [own.address, <Copied key="url" text={list.url} />],
          [own.issuer, list.issuer && <Copied key="issuer" text={list.issuer} />],
          [
            own.iaca,
            list.iacaId && (
              <Named key="iaca" kind="iaca" id={list.iacaId} href={to(`/certificates/iaca/${list.iacaId}`)} />
            ),
          ],
          [own.format, list.format],
          [own.opened, <When key="opened" at={list.createdAt} />],
          [own.renewed, published?.renewAt && <When key="renewed" at={published.renewAt} />],
          [own.waiting, list.changedAt && <When key="waiting" at={list.changedAt} />],
        ]}
      />
      <h3>{say(own.lookUp)}</h3>
      <p class="soft">{say(own.lookUpHint)}</p>
      <form class="filters" onSubmit={submit}>
        <FieldInput
          field={{ name: 'index', label: own.index, kind: 'number', required: true }}
          value={typed}
          fault={undefined}
          onChange={(value) => setTyped(String(value))}
        />
        <button type="submit">{say(own.read)}</button>
      </form>
      <Shown of={decoded}>
        {(read) =>
          read === 'unreadable' ? (
            <p class="problem">{say(own.unreadable)}</p>
          ) : (
            <>
              {index !== undefined && <Entry {...{ index, size }} status={read.statusAt(index)} />}
              <p class="soft">
                {say(own.sum, { size: numberText(size), set: numberText(read.set), bytes: numberText(read.bytes) })}
              </p>
            </>
          )
        }
      </Shown>
    </Section>
  )
}

/** A complete address with a copy button. */
function Copied({ text }: { text: string }) {
  return (
    <>
      <code>{text}</code> <CopyButton text={text} label={text} />
    </>
  )
}

async function readDecoded({ profile, url }: List): Promise<Answered<DecodedList | 'unreadable'>> {
  // Boundary: the signed URL of the list without its host, which is this host.
  const path = new URL(url).pathname as '/v2/credentials/mobile/status-lists/distribution'
  const headers = { Accept: mediaTypeOf(profile) }
  const answered = await callApi(api.GET(path, { parseAs: 'arrayBuffer', headers, cache: 'no-cache' }))
  if (answered.problem) return answered
  try {
    return { data: await decodeList(profile, answered.data) }
  } catch {
    return { data: 'unreadable' }
  }
}

function Entry({ index, size, status }: { index: number; size: number; status: number | undefined }) {
  if (index >= size || status === undefined) return <p role="status">{say(own.noPlace)}</p>
  const word = [own.valid, own.invalid, own.suspended][status]
  return (
    <p role="status">
      {say(own.says, { index: numberText(index) })}{' '}
      <Badge mood={status === 0 ? 'good' : status === 1 ? 'bad' : 'warn'}>
        {word ? say(word) : say(own.otherStatus, { value: status })}
      </Badge>
    </p>
  )
}
