import { useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { DownloadButton, SaveButton } from '../../kit/download.tsx'
import { Facts, Section, Verbatim } from '../../kit/elements.tsx'
import { say, verbatim } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, When } from '../../kit/when.tsx'
import { erasureTexts } from './erasure-texts.ts'
import { readReceipt } from './receipt.ts'

type Erasure = Schemas['Erasure']

/** One receipt: what was erased, and the files and the command that verify it. */
export default function ErasureScreen() {
  const { id = '' } = useRoute().params
  const erasure = useRead(() => callApi(api.GET('/v1/erasures/{id}', { params: { path: { id } } })), [id])
  return (
    <Screen title={say(erasureTexts.erasure)} up={{ href: to('/users/erasures'), title: say(erasureTexts.erasures) }}>
      <Shown of={erasure}>{(current) => <ErasureFacts of={current} />}</Shown>
    </Screen>
  )
}

function ErasureFacts({ of: erasure }: { of: Erasure }) {
  const { id, createdAt, receipt: jwt, proof } = erasure
  const receipt = jwt === undefined ? undefined : readReceipt(jwt)
  return (
    <>
      <section>
        <Facts
          of={[
            [erasureTexts.id, <Id key="" value={id} />],
            [erasureTexts.erasedAt, <When key="" at={createdAt} />],
            [commonTexts.state, say(receipt ? erasureTexts.signed : erasureTexts.unsigned)],
            [erasureTexts.subject, receipt && <Id value={receipt.sub} />],
            [erasureTexts.revoked, receipt && numberText(receipt.credentials_revoked)],
            [erasureTexts.lists, receipt?.status_lists.map((each) => <Id key={each} value={each} />)],
            [erasureTexts.row, receipt && numberText(receipt.audit.number)],
            [erasureTexts.covered, proof && numberText(proof.size)],
          ]}
        />
      </section>
      {receipt && (
        <Section title={say(erasureTexts.rows)}>
          <Facts of={Object.entries(receipt.rows).map(([name, count]) => [verbatim(name), numberText(count)])} />
        </Section>
      )}
      {receipt && <Verification of={erasure} />}
    </>
  )
}

const command = 'npm run audit:verify -- receipt.json checkpoint.txt --keys jwks.json'

function Verification({ of: erasure }: { of: Erasure }) {
  const size = erasure.proof?.size
  const files = size !== undefined && (
    <>
      <SaveButton label={say(erasureTexts.receipt)} name="receipt.json" text={JSON.stringify(erasure)} />
      <DownloadButton
        calls={[]}
        label={say(commonTexts.checkpoint)}
        path={`/v1/audit/checkpoint?size=${size}`}
        name="checkpoint.txt"
      />
      <DownloadButton calls={[]} label={say(commonTexts.keys)} path="/v1/audit/jwks" name="jwks.json" />
    </>
  )
  return (
    <Section title={say(erasureTexts.verify)} actions={files}>
      {files ? (
        <Verbatim text={command} label={say(commonTexts.shell)} />
      ) : (
        <p class="note">{say(erasureTexts.notYet)}</p>
      )}
    </Section>
  )
}
