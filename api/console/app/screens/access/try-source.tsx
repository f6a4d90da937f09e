import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Json } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { accessTexts } from './texts.ts'
import { Tried } from './tried.tsx'

const fields: readonly Field[] = [{ name: 'claims', label: accessTexts.sample, kind: 'json', rows: 5 }]

/** Queries a claim source for a person with the given claims. Shows the response only on request. */
export function TrySource({ id, name }: { id: string; name: string }) {
  return (
    <FormButton
      calls="testClaimSource"
      label={say(accessTexts.tryIt)}
      title={`${say(accessTexts.tryIt)}: ${name}`}
      fields={fields}
      start={{ claims: { email: 'ada@example.org' } }}
      submit={(body: Schemas['TestClaimSourceRequest']) =>
        callApi(api.POST('/v1/claim-sources/{id}/test', { params: { path: { id } }, body }))
      }
      result={({ works, message, claims }) => (
        <Tried works={works} message={message}>
          {claims && (
            <details>
              <summary>
                {say(accessTexts.answered)}: {say(commonTexts.show)}
              </summary>
              <Json value={claims} />
            </details>
          )}
        </Tried>
      )}
    />
  )
}
