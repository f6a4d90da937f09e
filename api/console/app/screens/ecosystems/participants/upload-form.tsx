import { useState } from 'preact/hooks'
import { useAction } from '../../../kit/dialog.tsx'
import { Bar } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { ProblemMessage } from '../../../kit/states.tsx'
import { participantTexts } from './texts.ts'
import { findFileFault, uploadEvidence } from './upload.ts'

/** Uploads a PDF file with a description. Shows the progress. */
export function UploadForm({ path, onDone }: { path: string; onDone: () => void }) {
  const [file, setFile] = useState<File>()
  const [fileDescription, setDescription] = useState('')
  const [fault, setFault] = useState<string>()
  const [part, setPart] = useState(0)
  const { run, problem, isBusy } = useAction(
    (chosen: File) => uploadEvidence(path, { file: chosen, fileDescription }, setPart),
    onDone,
  )
  const send = async (event: Event) => {
    event.preventDefault()
    const fileFault = await findFileFault(file)
    setFault(fileFault)
    setPart(0)
    if (file && !fileFault) await run(file)
  }
  return (
    <form class="fields" onSubmit={(event) => void send(event)} noValidate>
      <label class="field">
        {say(participantTexts.file)}
        <input
          type="file"
          accept="application/pdf,.pdf"
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
        />
      </label>
      {fault && (
        <strong class="fault" role="alert">
          {fault}
        </strong>
      )}
      <label class="field">
        {say(participantTexts.description)}
        <input
          value={fileDescription}
          maxLength={1_000}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </label>
      {problem && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {say(participantTexts.upload)}
        </button>
        {isBusy && <Bar part={part} label={say(participantTexts.uploading, { percent: Math.round(part * 100) })} />}
      </div>
    </form>
  )
}
