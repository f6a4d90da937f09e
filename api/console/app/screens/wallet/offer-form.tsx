import { useState } from 'preact/hooks'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { ScanButton } from '../../kit/scan.tsx'
import { attempt } from './attempt.ts'
import { walletTexts } from './wallet-texts.ts'

/** Takes an offer as a text or from the camera. */
export function OfferForm({ read }: { read: (text: string) => Promise<void> }) {
  const [scanned, setScanned] = useState('')
  return (
    <section>
      <Form
        key={scanned}
        fields={[
          {
            ...{ name: 'offer', kind: 'long', rows: 3, required: true },
            ...{ label: walletTexts.offer, hint: walletTexts.offerHint },
          },
        ]}
        start={{ offer: scanned }}
        action={say(walletTexts.read)}
        submit={({ offer }: { offer: string }) => attempt(() => read(offer).then(() => ({})))}
        onDone={() => undefined}
      >
        <ScanButton onText={setScanned} />
      </Form>
    </section>
  )
}
