import { api, ask, type Schemas } from '../../kit/api.ts'
import { Json } from '../../kit/bits.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { words } from '../../kit/texts.ts'
import { accessTexts } from './texts.ts'
import { Tried } from './tried.tsx'

const fields: readonly Field[] = [{ name: 'claims', label: accessTexts.sample, kind: 'json', rows: 5 }]

/** Asks a claim source as it would be asked for somebody with these claims. What it answers about them is shown when it is asked for. */
export function TrySource({ id, name }: { id: string; name: string }) {
  return (
    <FormButton
      label={say(accessTexts.tryIt)}
      title={`${say(accessTexts.tryIt)}: ${name}`}
      fields={fields}
      start={{ claims: { email: 'ada@example.org' } }}
      submit={(body: Schemas['TestClaimSourceRequest']) =>
        ask(api.POST('/v1/claim-sources/{id}/test', { params: { path: { id } }, body }))
      }
      result={({ works, message, claims }) => (
        <Tried works={works} message={message}>
          {claims && (
            <details>
              <summary>
                {say(accessTexts.answered)}: {say(words.show)}
              </summary>
              <Json value={claims} />
            </details>
          )}
        </Tried>
      )}
    />
  )
}
