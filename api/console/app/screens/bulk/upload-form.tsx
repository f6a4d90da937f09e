import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Answered, Schemas } from '../../kit/api.ts'
import type { Configuration } from '../../kit/configurations.ts'
import { useAction } from '../../kit/dialog.tsx'
import { Bar, Section } from '../../kit/elements.tsx'
import { FieldInput } from '../../kit/form.tsx'
import { type Field, type Typed, typedOf } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { useUnsaved } from '../../kit/unsaved.ts'
import { uploadForm } from '../../kit/upload.ts'
import { to } from '../../kit/url-state.ts'
import { useViewFields } from '../offers/issuer-fields.ts'
import { FileField } from './file-field.tsx'
import { lastPreview } from './last-preview.ts'
import { optionsOfLinks, settingsOfLinks } from './link-options.ts'
import { guessMapping, type Mapping, targetsOf } from './mapping.ts'
import { MappingFields } from './mapping-fields.tsx'
import { type Preview, previewOf } from './preview.ts'
import { PreviewTable } from './preview-table.tsx'
import type { Bulk } from './states.ts'
import { uploadTexts } from './upload-texts.ts'

const maxBytes = 2_000_000_000

/** A file that can be uploaded. */
interface Table {
  file: File
  preview: Preview
}

const options: readonly Field[] = [
  { name: 'validateOnly', kind: 'tick', label: uploadTexts.validateOnly, hint: uploadTexts.validateOnlyHint },
  {
    ...{ name: 'onDuplicate', kind: 'choice', required: true, label: uploadTexts.onDuplicate },
    choices: [
      { value: 'fail', label: uploadTexts.fail },
      { value: 'skip', label: uploadTexts.skip },
    ],
  },
]

/** Chooses a file, shows its first rows and the meaning of its columns, and uploads it. */
export function UploadForm({ mode, chosen }: { mode: Bulk['mode']; chosen: readonly Configuration[] }) {
  const targets = targetsOf(chosen)
  const [table, setTable] = useState<Table>()
  const [mapping, setMapping] = useState<Mapping>()
  const [fault, setFault] = useState<string>()
  const take = async (file: File | undefined) => {
    const preview = file && file.size <= maxBytes ? await previewOf(file) : undefined
    setFault(file && !preview ? say(file.size > maxBytes ? uploadTexts.tooLarge : uploadTexts.noTable) : undefined)
    setTable(file && preview && { file, preview })
    setMapping(preview && guessMapping(preview.columns, targets))
  }
  return (
    <>
      <FileField fault={fault} onFile={(file) => void take(file)} />
      {table && mapping && (
        <>
          <PreviewTable {...table.preview} />
          <MappingFields columns={table.preview.columns} {...{ targets, mapping }} onChange={setMapping} />
        </>
      )}
      <Sending
        key={mode}
        {...{ mode, chosen }}
        read={table && mapping && { table, mapping }}
        onMissing={() => setFault(say(uploadTexts.noFile))}
      />
    </>
  )
}

/** The input of an upload. */
interface Order {
  mode: Bulk['mode']
  chosen: readonly Configuration[]
  table: Table
  mapping: Mapping
}

function Sending(props: {
  mode: Bulk['mode']
  chosen: readonly Configuration[]
  /** Absent until a file is chosen. */
  read: Pick<Order, 'table' | 'mapping'> | undefined
  onMissing: () => void
}) {
  const { mode, chosen, read, onMissing } = props
  const { route } = useLocation()
  const views = useViewFields(chosen)
  const fields = mode === 'links' ? [...views, ...optionsOfLinks, ...options] : options
  const [typed, setTyped] = useState<Typed>(() => typedOf(fields, { validateOnly: true, days: 30 }))
  const [part, setPart] = useState(0)
  const { run, problem, isBusy } = useAction(send, ({ id }) => {
    if (read) lastPreview.value = { id, preview: read.table.preview }
    route(to(`/bulk/${id}`))
  })
  useUnsaved(isBusy)

  function send(order: Order): Promise<Answered<Schemas['AcceptedBulkIssuance']>> {
    setPart(0)
    return uploadForm('/v1/bulk-issuances', formOf(order, typed), setPart)
  }
  return (
    <Section title={say(uploadTexts.options)}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault()
          if (read) void run({ mode, chosen, ...read })
          else onMissing()
        }}
        noValidate
      >
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={typed[field.name] ?? ''}
            fault={undefined}
            onChange={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {problem && <ProblemMessage problem={problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {say(uploadTexts.upload)}
          </button>
          {isBusy && <Bar part={part} label={say(uploadTexts.uploading, { percent: Math.round(part * 100) })} />}
        </div>
      </form>
    </Section>
  )
}

/** The fields come before the file, so that the service refuses wrong fields early. */
function formOf({ mode, chosen, table: { file }, mapping }: Order, typed: Typed): FormData {
  const { externalId, userId, paths, kept } = mapping
  const { validateOnly, onDuplicate, view } = typed
  const form = new FormData()
  form.append('mode', mode)
  for (const { id } of chosen) form.append('configurationIds', id)
  form.append('externalId', externalId)
  if (userId) form.append('userIdColumn', userId)
  for (const column of kept) form.append('keepColumns', column)
  form.append('columns', JSON.stringify(Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== ''))))
  form.append('validateOnly', String(validateOnly === true))
  form.append('onDuplicate', String(onDuplicate))
  if (mode === 'links') {
    if (view) form.append('view', String(view))
    for (const [name, value] of Object.entries(settingsOfLinks(typed))) form.append(name, JSON.stringify(value))
  }
  form.append('file', file)
  return form
}
