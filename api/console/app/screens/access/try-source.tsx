import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../kit/api.ts'
import { Json } from '../../kit/bits.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { words } from '../../kit/texts.ts'
import { accessTexts } from './texts.ts'
import { Tried } from './tried.tsx'

type Result = Schemas['TestClaimSourceResponse']

const fields: readonly Field[] = [{ name: 'claims', label: accessTexts.sample, kind: 'json', rows: 5 }]

/** Asks a claim source as it would be asked for somebody with these claims. What it answers about them is shown when it is asked for. */
export function TrySource({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<Result>()
  const open = () => {
    setResult(undefined)
    setOpen(true)
  }
  return (
    <>
      <button type="button" onClick={open}>
        {say(accessTexts.tryIt)}
      </button>
      {isOpen && (
        <Dialog title={`${say(accessTexts.tryIt)}: ${name}`} onClose={() => setOpen(false)}>
          <Form
            fields={fields}
            start={{ claims: { email: 'ada@example.org' } }}
            action={say(accessTexts.tryIt)}
            submit={(body: Schemas['TestClaimSourceRequest']) =>
              ask(api.POST('/v1/claim-sources/{id}/test', { params: { path: { id } }, body }))
            }
            onDone={setResult}
            onCancel={() => setOpen(false)}
          />
          {result && (
            <Tried works={result.works} message={result.message}>
              {result.claims && (
                <details>
                  <summary>
                    {say(accessTexts.answered)}: {say(words.show)}
                  </summary>
                  <Json value={result.claims} />
                </details>
              )}
            </Tried>
          )}
        </Dialog>
      )}
    </>
  )
}
