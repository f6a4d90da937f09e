import { useState } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton, Dialog, ShownOnce, useAction } from '../../kit/dialog.tsx'
import { Facts, Json, Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { labelField } from '../../kit/label-field.ts'
import { say } from '../../kit/language.ts'
import { renameUser } from '../../kit/names.ts'
import { Screen } from '../../kit/screen.tsx'
import { hasRole } from '../../kit/session.ts'
import { Empty, ProblemMessage } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { credentialColumns } from '../credentials/columns.tsx'
import { credentialTexts } from '../credentials/texts.ts'
import { type ErasureHeaders, erase } from './erase.ts'
import { erasureTexts } from './erasure-texts.ts'
import { userTexts } from './texts.ts'

type Known = Schemas['User']
type Row = Schemas['UserCredential']

/** One user: the issued credentials, and on request the claims. */
export default function User() {
  const { id = '' } = useRoute().params
  const [{ cursor }] = useQuery()
  const query = { limit: 50, ...(cursor && { cursor }) }
  const read = () => callApi(api.GET('/v1/users/{userId}/credentials', { params: { path: { userId: id }, query } }))
  const records = useRead(read, [id, query])
  const isThere = records.data !== undefined && hasRole('issuer', 'managed-issuer')
  const actions = isThere && (
    <>
      <a class="button" href={to('/offers/new', { user: id })}>
        {say(userTexts.offer)}
      </a>
      <Erase id={id} />
    </>
  )
  return (
    <Screen
      title={say(userTexts.user)}
      up={{ href: to('/users'), title: say(userTexts.users) }}
      actions={actions}
      objectId={id}
    >
      <About key={id} id={id} mayChange={isThere} />
      {isThere && <Claims key={id} id={id} />}
      <Section title={say(credentialTexts.credentials)}>
        <PagedTable
          of={records}
          caption={credentialTexts.credentials}
          columns={credentialColumns<Row>(() => void records.reload())}
          keyOf={(each) => each.id}
          empty={<Empty>{say(credentialTexts.noneOfUser)}</Empty>}
        />
      </Section>
    </Screen>
  )
}

function Erase({ id }: { id: string }) {
  const { route } = useLocation()
  const [receipt, setReceipt] = useState<ErasureHeaders>()
  return (
    <>
      <ConfirmButton
        label={say(userTexts.erase)}
        title={say(userTexts.eraseTitle)}
        word={say(userTexts.eraseWord)}
        act={() => erase(id)}
        onDone={setReceipt}
      >
        <p>{say(userTexts.eraseAdvice)}</p>
      </ConfirmButton>
      {receipt && (
        <ShownOnce
          title={say(erasureTexts.done)}
          secret={receipt.salt}
          advice={say(erasureTexts.saltAdvice, { id: receipt.id })}
          onClose={() => route(to('/users'))}
        />
      )}
    </>
  )
}

/** Changes the given members of a user and keeps the others. */
function change(id: string, body: Schemas['UpdateUserRequest']) {
  return callApi(api.PUT('/v1/users/{id}', { params: { path: { id }, query: { partial: 'true' } }, body }))
}

/** The id and the label. A search by id reads them without the claims. */
function About({ id, mayChange }: { id: string; mayChange: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const body = { ids: [id], withClaims: false }
  const found = useRead(() => callApi(api.POST('/v1/users/search', { body })), [id])
  const label = found.data?.data[0]?.label
  return (
    <>
      <Facts
        of={[
          [userTexts.id, <Id key="id" value={id} />],
          [
            commonTexts.label,
            found.data && (
              <>
                {label === undefined ? <span class="soft">{say(commonTexts.noLabel)}</span> : <span>{label}</span>}{' '}
                {mayChange && (
                  <button type="button" onClick={() => setOpen(true)}>
                    {say(userTexts.changeLabel)}
                  </button>
                )}
              </>
            ),
          ],
        ]}
      />
      {isOpen && (
        <Dialog title={say(userTexts.changeLabel)} onClose={() => setOpen(false)}>
          <Form
            fields={[labelField]}
            start={{ label }}
            action={say(commonTexts.save)}
            submit={({ label: typed = null }: { label?: string | null }) => change(id, { label: typed })}
            onDone={(changed) => {
              setOpen(false)
              renameUser(id, changed.label)
              void found.reload()
            }}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  )
}

/** The claims are not loaded before the user reveals them, which records an event. */
function Claims({ id }: { id: string }) {
  const [known, setKnown] = useState<Known>()
  const [isChanging, setChanging] = useState(false)
  const reveal = useAction(() => callApi(api.GET('/v1/users/{id}', { params: { path: { id } } })), setKnown)
  const hide = () => {
    setKnown(undefined)
    setChanging(false)
  }
  const actions = known && (
    <>
      {!isChanging && (
        <button type="button" onClick={() => setChanging(true)}>
          {say(commonTexts.edit)}
        </button>
      )}
      <button type="button" onClick={hide}>
        {say(userTexts.hide)}
      </button>
    </>
  )
  return (
    <Section title={say(userTexts.known)} actions={actions}>
      {!known && (
        <>
          <p class="soft">{say(userTexts.revealAdvice)}</p>
          <button type="button" disabled={reveal.isBusy} onClick={() => void reveal.run()}>
            {say(userTexts.reveal)}
          </button>
        </>
      )}
      {reveal.problem && <ProblemMessage problem={reveal.problem} />}
      {known && !isChanging && <Revealed known={known} />}
      {known && isChanging && (
        <Form
          fields={[claimsField]}
          start={known}
          action={say(commonTexts.save)}
          submit={({ claims = {} }) =>
            // Boundary: the service validates the body.
            change(id, { claims: claims as Known['claims'] })
          }
          onDone={(changed) => {
            setKnown(changed)
            setChanging(false)
          }}
          onCancel={() => setChanging(false)}
        />
      )}
    </Section>
  )
}

const claimsField: Field = {
  ...{ name: 'claims', kind: 'json', label: userTexts.claims, hint: userTexts.claimsHint },
  ...{ rows: 12, required: true },
}

function Revealed({ known: { claims, authenticationProvider: at } }: { known: Known }) {
  const entries = Object.entries(claims)
  if (entries.length === 0 && !at) return <p>{say(userTexts.nothingKnown)}</p>
  return (
    <Facts
      of={[
        ...entries.map(([name, value]) => [{ en: name, de: name }, <Value key={name} value={value} />] as const),
        [userTexts.signsInAt, at && (at.url ?? at.providerId)],
        [userTexts.subject, at?.subjectId],
      ]}
    />
  )
}

/** A long text is usually a picture. */
function Value({ value }: { value: unknown }) {
  if (typeof value === 'object' && value !== null) return <Json value={value} />
  const text = String(value)
  return <>{text.length > 500 ? `${text.slice(0, 100)}…` : text}</>
}
