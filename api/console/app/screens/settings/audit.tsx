import { api, callApi } from '../../kit/api.ts'
import { DownloadButton, SaveButton } from '../../kit/download.tsx'
import { Section, Verbatim } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { checkpointTexts } from './texts.ts'

const readCheckpoint = () => callApi(api.GET('/v1/audit/checkpoint', { parseAs: 'text' }))

/** The last checkpoint of the audit, and the command that compares the audit with it. */
export function Audit() {
  const checkpoint = useRead(readCheckpoint, [])
  const note = checkpoint.data
  const files = note !== undefined && (
    <>
      <SaveButton label={say(commonTexts.checkpoint)} name="checkpoint.txt" text={note} />
      <DownloadButton calls={[]} label={say(commonTexts.keys)} path="/v1/audit/jwks" name="jwks.json" />
    </>
  )
  return (
    <Section title={say(commonTexts.checkpoint)} actions={files}>
      {checkpoint.problem?.kind === 'missing' ? (
        <Empty>{say(checkpointTexts.none)}</Empty>
      ) : (
        <Shown of={checkpoint}>
          {(checkpoint) => (
            <>
              <Verbatim text={checkpoint} />
              <p class="soft">{say(checkpointTexts.about)}</p>
              <Verbatim text={command} label={say(commonTexts.shell)} />
            </>
          )}
        </Shown>
      )}
    </Section>
  )
}

const command = 'npm run audit:verify -- --checkpoint checkpoint.txt --keys jwks.json'
