import type { Answered, Schemas } from '../../../kit/api.ts'
import { say } from '../../../kit/language.ts'
import { uploadForm } from '../../../kit/upload.ts'
import { numberText } from '../../../kit/when.tsx'
import { participantTexts } from './texts.ts'

const maxBytes = 10_000_000

/** Returns a message if the file is not acceptable, before any upload. Returns undefined if it is. */
export async function findFileFault(file: File | undefined): Promise<string | undefined> {
  if (!file) return say(participantTexts.noFile)
  if (file.size > maxBytes)
    return say(participantTexts.tooLarge, { size: numberText(Math.ceil(file.size / 100_000) / 10) })
  const begins = new TextDecoder('latin1').decode(await file.slice(0, 5).arrayBuffer())
  return begins === '%PDF-' ? undefined : say(participantTexts.noPdf)
}

/** Uploads a file with its description. Reports the progress from 0 to 1. */
export function uploadEvidence(
  path: string,
  { file, fileDescription }: { file: File; fileDescription: string },
  onProgress: (part: number) => void,
): Promise<Answered<Schemas['ParticipantEvidence']>> {
  const form = new FormData()
  form.append('fileDescription', fileDescription)
  form.append('file', file)
  return uploadForm(path, form, onProgress)
}
