import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge, Facts, Json } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { Pager } from '../../kit/table.tsx'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, When } from '../../kit/when.tsx'
import { didTexts } from './texts.ts'
import './settings.css'

/** The DIDs whose keys are in this service, with their documents. The tenant's own DID is the first. */
export function Dids() {
  const [{ cursor }] = useQuery()
  const query = { limit: 20, ...(cursor && { cursor }) }
  const dids = useRead(() => callApi(api.GET('/v1/dids', { params: { query } })), [cursor])
  return (
    <Shown of={dids}>
      {({ data, nextCursor }) => (
        <>
          {data.map((each, index) => (
            <One key={each.did} of={each} isOwn={index === 0 && !cursor} />
          ))}
          {data.length === 0 && <Empty>{say(didTexts.empty)}</Empty>}
          <Pager next={nextCursor} />
        </>
      )}
    </Shown>
  )
}

function One({ of: { did, localMetadata }, isOwn }: { of: Schemas['Did']; isOwn: boolean }) {
  const { keys, registered, initialDidDocument } = localMetadata
  return (
    <section class="did">
      <Facts
        of={[
          [
            { en: 'DID', de: 'DID' },
            <>
              <Id value={did} /> {isOwn && <Badge mood="good">{say(didTexts.own)}</Badge>}
            </>,
          ],
          [didTexts.keys, numberText(keys.length)],
          [didTexts.made, <When key="" at={registered} />],
        ]}
      />
      <details>
        <summary>{say(didTexts.document)}</summary>
        <Json value={initialDidDocument} />
      </details>
    </section>
  )
}
