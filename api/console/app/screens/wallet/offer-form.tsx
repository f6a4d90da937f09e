import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { ScanButton } from '../../kit/scan.tsx'
import { ProblemMessage } from '../../kit/states.tsx'
import { attempt } from './attempt.ts'
import { walletTexts } from './texts.ts'

/** Takes an offer as a text or from the camera. Reads `startText` at once. */
export function OfferForm({
  startText,
  read,
}: {
  startText: string | undefined
  read: (text: string) => Promise<void>
}) {
  const [scanned, setScanned] = useState(startText ?? '')
  const act = (offer: string) => attempt(() => read(offer).then(() => ({})))
  const { run, problem } = useAction(act, () => undefined)
  useEffect(() => {
    if (startText) void run(startText)
  }, [])
  return (
    <section>
      {problem && <ProblemMessage problem={problem} />}
      <Form
        calls={[]}
        key={scanned}
        fields={[
          {
            ...{ name: 'offer', kind: 'long', rows: 3, required: true },
            ...{ label: walletTexts.offer, hint: walletTexts.offerHint },
          },
        ]}
        start={{ offer: scanned }}
        action={say(walletTexts.read)}
        submit={({ offer }: { offer: string }) => act(offer)}
        onDone={() => undefined}
      >
        <ScanButton onText={setScanned} />
      </Form>
    </section>
  )
}
