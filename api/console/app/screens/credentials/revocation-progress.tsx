import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge, Bar, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { revocationTexts as t } from './revocation-texts.ts'

type Change = Schemas['StatusChange']

/** The progress of a bulk revocation, and the credentials that were not changed. */
export default function RevocationProgress() {
  const { id = '' } = useRoute().params
  return (
    <Screen title={say(t.title)} up={{ href: to('/credentials/revocations'), title: say(t.title) }}>
      <ChangeProgress id={id} everyMs={2_000}>
        {say(t.keepLink)}
      </ChangeProgress>
    </Screen>
  )
}

/** Polls a change until it is done. */
export function ChangeProgress(props: { id: string; everyMs: number; children: ComponentChildren }) {
  const { id, everyMs, children } = props
  const [isOver, setOver] = useState(false)
  const read = () => callApi(api.GET('/v2/credentials/revocation-status/{id}', { params: { path: { id } } }))
  const change = useRead(read, [id], { everyMs: isOver ? undefined : everyMs })
  const state = change.data?.state
  useEffect(() => setOver(state === 'done'), [state])
  return <Shown of={change}>{(current) => <Progress of={current}>{children}</Progress>}</Shown>
}

function Progress({ of, children }: { of: Change; children: ComponentChildren }) {
  const { state, total, done, failed } = of
  const isDone = state === 'done'
  const label = say(t.progress, { done: numberText(done), total: numberText(total) })
  return (
    <>
      <section role="status">
        <Badge mood={isDone ? 'good' : 'quiet'}>{say(t[state])}</Badge>
        <Bar part={total === 0 ? Number(isDone) : done / total} label={label} mood={isDone ? 'good' : 'quiet'} />
        <p class="soft">{children}</p>
      </section>
      {failed.length > 0 && (
        <Section title={say(t.failed)}>
          <Table
            caption={t.failed}
            rows={failed}
            keyOf={({ id }) => id}
            columns={[
              { head: t.credential, cell: ({ id }) => <Id value={id} href={to('/credentials', { id })} /> },
              { head: t.reason, cell: ({ reason }) => reason },
            ]}
          />
        </Section>
      )}
    </>
  )
}
