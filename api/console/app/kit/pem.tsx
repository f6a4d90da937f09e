import { say } from './language.ts'
import { commonTexts } from './texts.ts'

/** Larger than any certificate chain. */
const maxBytes = 200_000

/** An input for a certificate: pasted PEM, or a file in PEM or DER. */
export function PemInput(props: {
  value: string
  label: string
  onChange: (value: string) => void
  attributes: { id: string }
}) {
  const { value, label, onChange, attributes } = props
  const take = async (event: { currentTarget: HTMLInputElement }) => {
    const file = event.currentTarget.files?.[0]
    if (file) onChange(pemOf(new Uint8Array(await file.slice(0, maxBytes).arrayBuffer())))
  }
  return (
    <>
      <textarea
        {...attributes}
        rows={5}
        spellcheck={false}
        placeholder="-----BEGIN CERTIFICATE-----"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <input
        type="file"
        aria-label={`${label}: ${say(commonTexts.fromFile)}`}
        accept=".pem,.crt,.cer,.der,.txt"
        onChange={(event) => void take(event)}
      />
    </>
  )
}

/** Returns PEM input unchanged, and encodes all other input as DER. */
function pemOf(bytes: Uint8Array): string {
  // Converts byte by byte: the `latin1` of TextDecoder is another alphabet (windows-1252).
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  if (text.includes('-----BEGIN')) return text
  const lines = btoa(text).match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
