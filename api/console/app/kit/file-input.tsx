import { say } from './language.ts'
import { commonTexts } from './texts.ts'

/** Reads a file as base64. Shows the size below the input. */
export function FileInput(props: { value: string; onChange: (value: string) => void; attributes: { id: string } }) {
  const { value, onChange, attributes } = props
  const read = async (file: File | undefined) => onChange(file ? await base64Of(file) : '')
  return (
    <>
      <input {...attributes} type="file" onChange={(event) => void read(event.currentTarget.files?.[0])} />
      {value && (
        <small class="soft">{say(commonTexts.fileTaken, { size: Math.ceil((value.length * 3) / 4096) })}</small>
      )}
    </>
  )
}

export function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
