import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton, Dialog } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { durationText } from '../configurations/duration.ts'
import { statusListTexts as own } from './texts.ts'

type Lifetime = Schemas['StatusListConfiguration']

const path = '/v2/credentials/mobile/status-lists/configurations'

/** The configurations of token status lists by document type. The address names the one that is edited. */
export function Lifetimes() {
  const [{ lifetime }, change] = useQuery()
  const lifetimes = useRead(() => callApi(api.GET(path, { params: { query: { limit: 1_000 } } })), [])
  const chosen = lifetimes.data?.data.find(({ id }) => id === lifetime)
  const mayChange = can('createStatusListConfiguration')
  const done = () => {
    change({ lifetime: undefined })
    void lifetimes.reload()
  }
  const actions: Column<Lifetime> = {
    head: commonTexts.edit,
    cell: (row) => <Actions of={row} onEdit={() => change({ lifetime: row.id })} onDeleted={done} />,
  }
  return (
    <Section
      title={say(own.lifetimes)}
      actions={
        mayChange && (
          <button type="button" onClick={() => change({ lifetime: 'new' })}>
            {say(own.newLifetime)}
          </button>
        )
      }
    >
      <p class="soft">{say(own.lifetimesHint)}</p>
      <Shown of={lifetimes}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="soft">{say(own.noLifetime)}</p>
          ) : (
            <Table
              caption={own.lifetimes}
              columns={mayChange ? [...columns, actions] : columns}
              rows={data}
              keyOf={({ id }) => id}
              resourceOf={({ id }) => `${path}/${id}`}
            />
          )
        }
      </Shown>
      {mayChange && (lifetime === 'new' || chosen) && (
        <LifetimeDialog of={chosen} onDone={done} onClose={() => change({ lifetime: undefined })} />
      )}
    </Section>
  )
}

function Actions(props: { of: Lifetime; onEdit: () => void; onDeleted: () => void }) {
  const { of, onEdit, onDeleted } = props
  const { id, docType } = of
  return (
    <div class="actions">
      <button type="button" onClick={onEdit}>
        {say(commonTexts.edit)}
        <span class="unseen"> {docType}</span>
      </button>
      <ConfirmButton
        calls="deleteStatusListConfiguration"
        label={say(commonTexts.delete)}
        title={say(own.deleteLifetime)}
        isDanger
        act={() => callApi(api.DELETE(`${path}/{id}`, { params: { path: { id } } }))}
        onDone={onDeleted}
      >
        <p>
          <code>{docType}</code>
        </p>
        <p>{say(own.deleteAdvice)}</p>
      </ConfirmButton>
    </div>
  )
}

const columns: readonly Column<Lifetime>[] = [
  { head: own.docType, cell: ({ docType }) => <code>{docType}</code> },
  { head: own.mayBeOld, cell: ({ timeToLiveDuration }) => durationText(timeToLiveDuration) },
  { head: own.until, cell: ({ expiryDuration }) => durationText(expiryDuration) },
]

const docType: Field = { name: 'docType', label: own.docType, hint: own.docTypeHint, required: true }
const days: readonly Field[] = [
  { name: 'timeToLiveDuration.days', label: own.cachedDays, kind: 'number', required: true },
  { name: 'expiryDuration.days', label: own.validDays, kind: 'number', required: true },
]
const usual = { timeToLiveDuration: { days: 1 }, expiryDuration: { days: 7 } }

function LifetimeDialog(props: { of: Lifetime | undefined; onDone: () => void; onClose: () => void }) {
  const { of, onDone, onClose } = props
  // Boundary: the fields build the body, and the service validates it.
  const save = (body: object) =>
    of
      ? callApi(api.PUT(`${path}/{id}`, { params: { path: { id: of.id } }, body: body as Lifetime }))
      : callApi(api.POST(path, { body: body as Lifetime }))
  return (
    <Dialog title={of ? of.docType : say(own.newLifetime)} onClose={onClose}>
      <Form
        calls={of ? 'updateStatusListConfiguration' : 'createStatusListConfiguration'}
        fields={of ? days : [docType, ...days]}
        start={of ?? usual}
        action={say(of ? commonTexts.save : commonTexts.create)}
        submit={save}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}
