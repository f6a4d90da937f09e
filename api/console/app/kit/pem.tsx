import { say } from './language.ts'
import { words } from './texts.ts'

/** No certificate, nor a chain of them, is as large. */
const mostBytes = 200_000

/** A certificate, pasted as PEM, or from a file in PEM or DER. */
export function PemInput(props: {
  value: string
  label: string
  onChange: (value: string) => void
  attributes: { id: string }
}) {
  const { value, label, onChange, attributes } = props
  const take = async (event: { currentTarget: HTMLInputElement }) => {
    const file = event.currentTarget.files?.[0]
    if (file) onChange(pemOf(new Uint8Array(await file.slice(0, mostBytes).arrayBuffer())))
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
        aria-label={`${label}: ${say(words.fromFile)}`}
        accept=".pem,.crt,.cer,.der,.txt"
        onChange={(event) => void take(event)}
      />
    </>
  )
}

/** What is in PEM already as it is, everything else taken for DER. */
export function pemOf(bytes: Uint8Array): string {
  // Byte by byte: what decoders call latin1 is another alphabet.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  if (text.includes('-----BEGIN')) return text
  const lines = btoa(text).match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
