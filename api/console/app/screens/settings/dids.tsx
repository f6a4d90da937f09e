import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Badge, Facts, Json } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { KeyPlace } from '../../kit/key-place.tsx'
import { say, verbatim } from '../../kit/language.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { Pager } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, When } from '../../kit/when.tsx'
import { didTexts } from './did-texts.ts'
import './settings.css'

/** The DIDs whose keys are in this service, with their documents. The tenant's own DID is the first. */
export function Dids() {
  const [{ cursor }] = useQuery()
  const query = { limit: 20, ...(cursor && { cursor }) }
  const dids = useRead(() => callApi(api.GET('/v1/dids', { params: { query } })), [cursor])
  const reload = () => void dids.reload()
  return (
    <>
      <div class="actions">
        <FormButton
          calls="createDid"
          label={say(didTexts.create)}
          isPrimary
          fields={newDid}
          submit={(typed: NewDid) => callApi(api.POST('/v1/dids', { body: didOf(typed) }))}
          onDone={reload}
        />
      </div>
      <Shown of={dids}>
        {({ data, nextCursor }) => (
          <>
            {data.map((each, index) => (
              <One key={each.did} of={each} isOwn={index === 0 && !cursor} onDeleted={reload} />
            ))}
            {data.length === 0 && <Empty>{say(didTexts.empty)}</Empty>}
            <Pager next={nextCursor} />
          </>
        )}
      </Shown>
    </>
  )
}

interface NewDid {
  kind: 'Ed25519' | 'Bls12381G2' | 'web'
  options?: { url?: string }
}

const newDid: readonly Field[] = [
  {
    ...{ name: 'kind', kind: 'choice', required: true, label: didTexts.kind },
    choices: [
      { value: 'Ed25519', label: verbatim('did:key, Ed25519') },
      { value: 'Bls12381G2', label: verbatim('did:key, BLS12-381 G2') },
      { value: 'web', label: verbatim('did:web') },
    ],
  },
  { name: 'options.url', label: didTexts.domain, hint: didTexts.domainHint, placeholder: 'campus.example.org' },
]

function didOf({ kind, options }: NewDid): Schemas['DidRequest'] {
  if (kind === 'web') return { method: 'web', options: { url: options?.url ?? '' } }
  return { method: 'key', options: { keyType: kind } }
}

/** Shows how many keys are in each provider. */
function Places({ of }: { of: Schemas['Did']['localMetadata']['keys'] }) {
  const byProvider = Map.groupBy(of, ({ provider }) => provider ?? 'software')
  return (
    <>
      {[...byProvider].map(([provider, keys]) => (
        <span key={provider}>
          {numberText(keys.length)} <KeyPlace provider={provider} />{' '}
        </span>
      ))}
    </>
  )
}

interface OneProps {
  of: Schemas['Did']
  isOwn: boolean
  onDeleted: () => void
}

function One({ of: { did, localMetadata }, isOwn, onDeleted }: OneProps) {
  const { keys, registered, initialDidDocument } = localMetadata
  return (
    <section class="did">
      <Facts
        of={[
          [
            verbatim('DID'),
            <>
              <Id value={did} /> {isOwn && <Badge mood="good">{say(didTexts.own)}</Badge>}
            </>,
          ],
          [didTexts.keys, <Places key="keys" of={keys} />],
          [didTexts.made, <When key="" at={registered} />],
        ]}
      />
      <details>
        <summary>{say(didTexts.document)}</summary>
        <Json value={initialDidDocument} />
      </details>
      {!isOwn && (
        <div class="actions">
          <ConfirmButton
            calls="deleteDid"
            label={say(commonTexts.delete)}
            title={say(didTexts.deleteTitle)}
            word={say(didTexts.deleteWord)}
            act={() => callApi(api.DELETE('/v1/dids/{id}', { params: { path: { id: did } } }))}
            onDone={onDeleted}
          >
            <p>{say(didTexts.deleteText)}</p>
          </ConfirmButton>
        </div>
      )}
    </section>
  )
}
