import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Badge, Section } from '../../kit/elements.tsx'
import { keyPlaceTexts, textOfProvider } from '../../kit/key-place.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, ShortTime } from '../../kit/when.tsx'
import { keyTexts } from './texts.ts'

type Key = Schemas['Key']

const uses = ['credentials', 'webhooks', 'tokens', 'encryption', 'audit'] as const satisfies readonly Key['purpose'][]

/** The tenant's own keys by purpose: keys in use, and replaced keys that are still published. */
export function Keys() {
  const keys = useRead(() => callApi(api.GET('/v1/keys')), [])
  const [rotated, setRotated] = useState<string>()
  const done = ({ id }: { id: string }) => {
    setRotated(id)
    void keys.reload()
  }
  return (
    <>
      {rotated && (
        <p class="note" role="status">
          {say(keyTexts.rotated, { id: rotated })}
        </p>
      )}
      <Shown of={keys}>
        {({ data }) => (
          <>
            {uses.map((use) => (
              <Section key={use} title={say(keyTexts[use])} actions={<RotateButton use={use} onDone={done} />}>
                <Table
                  caption={keyTexts[use]}
                  columns={columns}
                  rows={data.filter(({ purpose }) => purpose === use)}
                  keyOf={({ id }) => id}
                />
              </Section>
            ))}
          </>
        )}
      </Shown>
    </>
  )
}

function RotateButton({ use, onDone }: { use: Key['purpose']; onDone: (created: { id: string }) => void }) {
  return (
    <ConfirmButton
      calls="rotateKeys"
      label={say(keyTexts.rotate)}
      title={say(keyTexts.rotateTitle, { use: say(keyTexts[use]) })}
      act={() => callApi(api.POST('/v1/keys/{purpose}/rotate', { params: { path: { purpose: use } } }))}
      onDone={onDone}
    >
      <p>{say(keyTexts[`${use}Follows`])}</p>
    </ConfirmButton>
  )
}

const columns: readonly Column<Key>[] = [
  { head: keyTexts.key, cell: ({ id }) => <Id value={id} /> },
  {
    head: commonTexts.state,
    cell: ({ retiredAt }) => (
      <Badge mood={retiredAt ? 'quiet' : 'good'}>{say(retiredAt ? keyTexts.retired : keyTexts.inUse)}</Badge>
    ),
  },
  { head: keyTexts.algorithm, cell: ({ algorithm }) => algorithm },
  { head: keyPlaceTexts.place, cell: ({ provider }) => say(textOfProvider(provider)) },
  { head: keyTexts.since, cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    head: keyTexts.publishedUntil,
    cell: ({ retiredAt, publishedUntil }) =>
      publishedUntil ? <ShortTime at={publishedUntil} /> : retiredAt ? say(keyTexts.forGood) : '–',
  },
]
