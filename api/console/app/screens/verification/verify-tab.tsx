import { useRef, useState } from 'preact/hooks'
import { ActButton } from '../../kit/act-button.tsx'
import type { Answered } from '../../kit/api.ts'
import { DropField } from '../../kit/drop-field.tsx'
import { Form } from '../../kit/form.tsx'
import { bodyOf, type Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { ScanButton } from '../../kit/scan.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { Result } from './check-rows.tsx'
import { type Kind, kindOf } from './kinds.ts'
import type { Verified } from './stages.ts'
import { type Typed, verifyPicture, verifyText } from './verify.ts'
import { verifyTexts as t } from './verify-texts.ts'

const payload: Field = { name: 'payload', kind: 'long', rows: 6, required: true, label: t.payload, hint: t.payloadHint }
const options: readonly Field[] = [
  { name: 'assertValidFrom', kind: 'tick', isTrueByDefault: true, label: t.validFrom },
  { name: 'assertValidUntil', kind: 'tick', isTrueByDefault: true, label: t.validUntil },
  { name: 'checkRevocation', kind: 'tick', isTrueByDefault: true, label: t.revocation },
]
const issuers: Field = { name: 'trustedIssuers', kind: 'lines', label: t.trustedIssuers, hint: t.trustedIssuersHint }
const fieldsOf: Record<Kind, readonly Field[]> = {
  compact: [...options, issuers],
  'compact-semantic': [...options, issuers],
  'web-semantic': options,
  'sd-jwt': [
    ...options,
    { name: 'roots', kind: 'pem', label: t.roots, hint: t.rootsHint },
    { name: 'nonce', label: t.nonce, hint: t.nonceHint },
    { name: 'audience', label: t.audience },
  ],
  presentation: [
    { name: 'challenge', label: t.challenge, required: true },
    { name: 'domain', label: t.domain, required: true },
  ],
}

const maxBytes = 5_000_000

/** Verifies what is pasted, dropped or scanned. */
export function VerifyTab() {
  const [start, setStart] = useState<{ count: number; body: object }>({ count: 0, body: {} })
  const [kind, setKind] = useState<Kind>()
  const [picture, setPicture] = useState<File>()
  const [fault, setFault] = useState<string>()
  const [result, setResult] = useState<Verified>()
  const latest = useRef<object>({})
  const fields = [payload, ...(kind ? fieldsOf[kind] : options)]
  const put = (text: string) =>
    setStart(({ count }) => ({ count: count + 1, body: { ...latest.current, payload: text } }))
  const take = async (file: File | undefined) => {
    const isPicture = file !== undefined && /^image\//.test(file.type)
    setFault(file && file.size > maxBytes ? say(t.tooLarge) : undefined)
    setResult(undefined)
    setPicture(isPicture && file.size <= maxBytes ? file : undefined)
    if (file && !isPicture && file.size <= maxBytes) put(await file.text())
  }
  const submit = (body: Typed): Promise<Answered<Verified>> => {
    const kind = kindOf(body.payload)
    setResult(undefined)
    const wrong = kind ? missingPart(body) : { param: 'payload', message: say(t.notKnown) }
    if (kind && !wrong) return verifyText(kind, body)
    return Promise.resolve({ problem: { kind: 'invalid', details: wrong ? [wrong] : [] } })
  }
  return (
    <>
      <p class="soft">{say(t.about)}</p>
      <DropField label={t.file} hint={t.fileHint} accept="" fault={fault} onFile={(file) => void take(file)} />
      <div class="actions verify-actions">
        <ScanButton onText={put} />
        {picture && (
          <ActButton
            calls="verifyCompactCredential"
            label={`${say(t.verify)}: ${picture.name}`}
            isPrimary
            act={() => verifyPicture(picture, { payload: '', ...allChecks })}
            onDone={setResult}
          />
        )}
      </div>
      <Form
        calls="verifyCompactCredential"
        key={start.count}
        fields={fields}
        start={start.body}
        action={say(t.verify)}
        submit={submit}
        onDone={setResult}
        onTyped={(typed) => {
          latest.current = bodyOf(fields, typed).body
          setKind(kindOf(String(typed.payload ?? '')))
        }}
      />
      {result && <Result of={result} />}
    </>
  )
}

const allChecks = { assertValidFrom: true, assertValidUntil: true, checkRevocation: true }

/** Nonce and audience are given together. */
function missingPart({ nonce, audience }: Typed): { param: string; message: string } | undefined {
  if ((nonce === undefined) === (audience === undefined)) return undefined
  return { param: nonce === undefined ? 'nonce' : 'audience', message: say(commonTexts.mustFill) }
}
