import { DropField } from '../../kit/drop-field.tsx'
import { uploadTexts } from './upload-texts.ts'

/** The file of a bulk issuance. */
export function FileField({ fault, onFile }: { fault: string | undefined; onFile: (file: File | undefined) => void }) {
  const accept = '.csv,.tsv,.txt,.jsonl,.ndjson,.gz,text/csv'
  return <DropField label={uploadTexts.file} hint={uploadTexts.fileHint} {...{ accept, fault, onFile }} />
}
