import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type Answered, api, callApi } from '../../kit/api.ts'
import type { Profile } from '../../kit/configurations.ts'
import { useAction } from '../../kit/dialog.tsx'
import { say } from '../../kit/language.ts'
import type { Problem } from '../../kit/problem.ts'
import { useDraftRequest } from '../../kit/request-log.ts'
import { can } from '../../kit/session.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useUnsaved } from '../../kit/unsaved.ts'
import { useRead } from '../../kit/use-read.ts'
import { type Body, type Place, readBody, shownAsText } from './body.ts'
import { type Editing, FieldGroup } from './body-field.tsx'
import { ClaimsTable, useClaimRows } from './claims-table.tsx'
import { basics, displayFields, furtherGroups } from './fields.ts'
import { writeOf } from './operations.ts'
import { RecordRows } from './record-rows.tsx'
import { configurationTexts as own } from './texts.ts'
import { TreeTable } from './tree-table.tsx'
import { Validity } from './validity.tsx'
import { WalletCards } from './wallet-card.tsx'
import './configurations.css'

/** One body in two views. While the text is not valid JSON, the body is the last valid one. */
export interface Draft {
  body: Body
  text: string
  fault?: Place | 'noObject'
  /** Whether there is unsaved input. */
  isTyped?: boolean
}

/** Returns the draft of a saved or proposed body. */
export function draftOf(body: Body): Draft {
  return { body, text: shownAsText(body) }
}

/** A configuration as a form and as JSON, side by side, with a preview of the wallet card. */
export function Editor<Data>(props: {
  profile: Profile
  draft: Draft
  setDraft: (draft: Draft) => void
  action: string
  /** The id of the configuration that is saved. Absent for a new one. */
  id?: string
  save: (body: Body) => Promise<Answered<Data>>
  onSaved: (data: Data) => void
  /** Replaces the display of a problem that the caller can explain better. */
  explain?: (problem: Problem) => ComponentChildren
  /** Elements next to the button. */
  children?: ComponentChildren
}) {
  const { profile, draft, setDraft, action, id, save, onSaved, explain, children } = props
  const { body, fault } = draft
  const { run, problem, isBusy } = useAction(save, onSaved)
  const [wasRefused, setRefused] = useState(false)
  useUnsaved(draft.isTyped ?? false)
  useDraftRequest(writeOf(profile, id, body))
  const change = (next: Body) => setDraft({ ...draftOf(next), isTyped: true })
  const rows = profile === 'sd-jwt' ? {} : body
  const claims = useClaimRows(rows, profile === 'mobile', (claimMappings) => change({ ...body, claimMappings }))
  const canSend = fault === undefined && !claims.hasRepeated
  const send = (event: Event) => {
    event.preventDefault()
    setRefused(!canSend)
    if (canSend) void run(body)
  }
  const editing = { body, change, details: problem?.details ?? [] }
  return (
    <form class="editor" onSubmit={send} noValidate>
      <div class="editor-sides">
        <FormParts {...{ ...editing, profile, claims }} isDisabled={fault !== undefined} />
        <div class="editor-other">
          <JsonView draft={draft} setDraft={setDraft} />
        </div>
      </div>
      {problem && (explain?.(problem) ?? <ProblemMessage problem={problem} />)}
      {wasRefused && !canSend && (
        <p class="problem" role="alert">
          {say(commonTexts.fieldsWrong)}
        </p>
      )}
      <div class="actions">
        {can(id === undefined ? 'createCompactConfiguration' : 'updateCompactConfiguration') && (
          <button type="submit" class="primary" disabled={isBusy}>
            {action}
          </button>
        )}
        {children}
      </div>
    </form>
  )
}

type FormProps = Editing & { profile: Profile; claims: ReturnType<typeof useClaimRows> }

/** The parts of the form. While the text is not valid JSON, only the text can be edited, so that no input is lost. */
function FormParts({ isDisabled, claims, profile, ...editing }: FormProps & { isDisabled: boolean }) {
  return (
    <>
      <fieldset class="bare" disabled={isDisabled}>
        {basics[profile].map((group) => (
          <FieldGroup key={group.title.id} group={group} {...editing} />
        ))}
        <Validity {...editing} />
      </fieldset>
      <section class="editor-other">
        <h2>{say(own.preview)}</h2>
        <WalletCards profile={profile} body={editing.body} />
      </section>
      <fieldset class="bare whole" disabled={isDisabled}>
        <Claims {...{ ...editing, profile, claims }} />
      </fieldset>
      <fieldset class="bare" disabled={isDisabled}>
        <RestOfForm profile={profile} {...editing} />
      </fieldset>
    </>
  )
}

/** Reads the claim sources. Users who may not read them see none. */
async function readSources() {
  if (!can('retrieveClaimSources')) return { data: { data: [] } }
  return callApi(api.GET('/v1/claim-sources', { params: { query: { limit: 1_000 } } }))
}

function Claims(props: FormProps) {
  const { profile, claims, body, change, details } = props
  return (
    <fieldset class="group">
      <legend>{say(own.claims)}</legend>
      {profile === 'sd-jwt' ? (
        <TreeTable {...{ body, change, details }} />
      ) : (
        <ClaimsTable
          {...claims}
          isMobile={profile === 'mobile'}
          docType={typeof body.type === 'string' ? body.type : ''}
          details={details}
        />
      )}
    </fieldset>
  )
}

/** How wallets show the credential, and rarely used groups. */
function RestOfForm({ profile, ...editing }: Editing & { profile: Profile }) {
  const { body, change, details } = editing
  const sources = useRead(readSources, [])
  const further = furtherGroups(profile, sources.data?.data ?? [])
  return (
    <>
      <fieldset class="group">
        <legend>{say(own.display)}</legend>
        <p class="soft">{say(own.displayHint)}</p>
        <RecordRows
          name="display"
          fields={displayFields}
          value={body.display}
          each={own.languageNumber}
          add={own.addLanguage}
          first={{ name: '', locale: 'en' }}
          details={details}
          change={(rows) => {
            const { display: _, ...rest } = body
            change(rows ? { ...body, display: rows } : rest)
          }}
        />
      </fieldset>
      {further.map((group) => (
        <FieldGroup key={group.title.id} group={group} {...editing} />
      ))}
    </>
  )
}

function JsonView({ draft, setDraft }: { draft: Draft; setDraft: (draft: Draft) => void }) {
  const { body, text, fault } = draft
  const id = useId()
  const type = (next: string) => {
    const read = readBody(next)
    setDraft({ ...(read.body ? { body: read.body } : { body, fault: read.fault }), text: next, isTyped: true })
  }
  return (
    <section class={`field json-view ${fault ? 'wrong' : ''}`}>
      <h2>
        <label for={id}>{say(commonTexts.asJson)}</label>
      </h2>
      <textarea
        id={id}
        rows={24}
        spellcheck={false}
        value={text}
        aria-describedby={fault ? `${id}-fault` : undefined}
        aria-invalid={fault ? true : undefined}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {fault && (
        <div id={`${id}-fault`} role="status">
          <strong class="fault">{fault === 'noObject' ? say(own.noObject) : say(own.notJsonAt, { ...fault })}</strong>
          <p class="soft">{say(own.formWaits)}</p>
          <button type="button" onClick={() => setDraft({ ...draftOf(body), isTyped: true })}>
            {say(own.backToForm)}
          </button>
        </div>
      )}
    </section>
  )
}
