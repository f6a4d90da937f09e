import { api, callApi } from '../../kit/api.ts'
import { useAction } from '../../kit/dialog.tsx'
import { base64Of } from '../../kit/file-input.tsx'
import { say } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { settingTexts } from '../tenants/texts.ts'
import { previewTexts as t } from './preview-texts.ts'

/** Uploads a logo. The branding has it only after its address is saved. */
export function LogoUpload({ onDone }: { onDone: (url: string) => void }) {
  const { run, problem } = useAction(
    async (file: File) => callApi(api.POST('/v1/settings/logos', { body: { content: await base64Of(file) } })),
    ({ url }) => onDone(url),
  )
  if (!can('uploadLogo')) return null
  return (
    <>
      <input
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={`${say(settingTexts.logoUrl)}: ${say(commonTexts.fromFile)}`}
        onChange={({ currentTarget: { files } }) => files?.[0] && void run(files[0])}
      />
      <small class="soft">{say(t.logoFile)}</small>
      {problem && <ProblemMessage problem={problem} />}
    </>
  )
}
