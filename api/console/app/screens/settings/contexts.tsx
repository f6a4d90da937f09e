import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { DialogButton } from '../../kit/dialog-button.tsx'
import { Json } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { contextTexts as t } from './did-texts.ts'

const path = '/v2/credentials/web-semantic/contexts'
const fields: readonly Field[] = [
  { name: 'url', label: t.url, required: true, placeholder: 'https://' },
  { name: 'document', label: t.document, hint: t.documentHint, kind: 'json', rows: 8, required: true },
]
const start = { document: { '@context': { level: 'https://university.example.org/terms#level' } } }

/** The tenant's own JSON-LD contexts. A context cannot be changed, because credentials refer to it. */
export function Contexts() {
  return (
    <Collection<Schemas['ListedContext']>
      calls={{ create: 'createContext', remove: 'deleteContext' }}
      texts={t}
      list={(query) => callApi(api.GET(path, { params: { query } }))}
      idOf={({ id }) => id}
      path={path}
      columns={[{ head: t.url, cell: ({ url }) => url }]}
      form={(_, end) => (
        <Form
          calls="createContext"
          fields={fields}
          start={start}
          action={say(commonTexts.create)}
          submit={(body: Schemas['ContextRequest']) => callApi(api.POST(path, { body }))}
          onDone={end}
          onCancel={end}
        />
      )}
      actions={({ id, url }) => (
        <DialogButton label={say(t.document)} title={url}>
          {() => <Document id={id} />}
        </DialogButton>
      )}
      deletion={{
        word: ({ url }) => url,
        act: ({ id }) => callApi(api.DELETE(`${path}/{id}`, { params: { path: { id } } })),
      }}
    />
  )
}

function Document({ id }: { id: string }) {
  const context = useRead(() => callApi(api.GET(`${path}/{id}`, { params: { path: { id } } })), [id])
  return <Shown of={context}>{({ document }) => <Json value={document} />}</Shown>
}
